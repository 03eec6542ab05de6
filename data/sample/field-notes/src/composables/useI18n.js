import english from '../i18n/app_en.json'
import french from '../i18n/app_fr.json'

const MESSAGES = { en: english, fr: french }

/**
 * Look up a message by its dotted key and fill in its placeholders.
 *
 * @param {string} language language of the app
 * @returns {{ t: (key: string, values?: object) => string }}
 */
export function useI18n (language = navigator.language.slice(0, 2)) {
  const messages = MESSAGES[language] ?? english
  const t = (key, values = {}) => {
    const message = key.split('.').reduce((section, part) => section?.[part], messages) ?? key
    return String(message).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole)
  }
  return { t }
}
