import { onMounted, onUnmounted, ref } from 'vue'
import { flushOutbox, listPendingObservations } from '../lib/outbox.js'

/** Below this share of the battery uploads wait. */
export const LOW_BATTERY = 0.15

/**
 * Keep the outbox and the server in step while a component is shown.
 *
 * @param {(observation: object) => Promise<'stored' | 'conflict'>} send talks to the server
 * @param {number} interval milliseconds between two uploads
 */
export function useSync (send, interval = 30000) {
  const pending = ref(0)
  const running = ref(false)
  let timer

  async function synchronise () {
    if (running.value || !navigator.onLine || await batteryIsLow()) return
    running.value = true
    try {
      await flushOutbox(send)
    } finally {
      pending.value = (await listPendingObservations(Infinity)).length
      running.value = false
    }
  }

  onMounted(() => { timer = setInterval(synchronise, interval) })
  onUnmounted(() => clearInterval(timer))
  return { pending, running, synchronise }
}

async function batteryIsLow () {
  if (!navigator.getBattery) return false
  const battery = await navigator.getBattery()
  return !battery.charging && battery.level < LOW_BATTERY
}
