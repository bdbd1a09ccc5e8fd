// Notifications of the system, in this browser only: where the owner turned them on, and while another window is in use.

const key = 'void:notify'
const shownKey = 'void:notified'
const maxShown = 200

/** Never on the server, which paints the settings. */
export const isNotifying = (): boolean =>
  typeof Notification === 'function' && Notification.permission === 'granted' && read(key) === 'on'

/** Asks the browser for it; resolves to whether it is allowed. */
export async function askToNotify(): Promise<boolean> {
  if (typeof Notification !== 'function') return false
  const permission = await Notification.requestPermission()
  if (permission === 'granted') write(key, 'on')
  return permission === 'granted'
}

export const stopNotifying = (): void => write(key, 'off')

type Notice = {
  /** What it is about: shown once in this browser, whichever tab comes first. */
  id: string
  title: string
  body: string
  /** Called when it is clicked. */
  open: () => void
}

export function notify({ id, title, body, open }: Notice): void {
  if (!isNotifying() || document.hasFocus()) return
  const notifiedIds = (read(shownKey) ?? '').split('\n')
  if (notifiedIds.includes(id)) return
  write(shownKey, [...notifiedIds, id].slice(-maxShown).join('\n'))
  const notification = new Notification(title, { body, tag: id, icon: '/icon.svg' })
  notification.addEventListener('click', () => {
    window.focus()
    notification.close()
    open()
  })
}

function read(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

function write(name: string, value: string): void {
  try {
    localStorage.setItem(name, value)
  } catch {
    // Without storage there are none.
  }
}
