import bookings from '../test/data/bookings.json' with { type: 'json' }

for (const booking of bookings) console.log(booking.reference, booking.state)
