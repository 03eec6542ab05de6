export default {
  title: 'Atlas handbook',
  base: '/handbook/',
  locales: { root: { label: 'English', lang: 'en' }, de: { label: 'Deutsch', lang: 'de' } },
  themeConfig: { search: { provider: 'local' } }
}
