// Pictures from elsewhere: nothing of one is loaded before it is asked for, once for each host. Void's server fetches it, so
// that the host learns neither who reads nor what.

import { el } from '../dom.ts'

const key = 'void:image-hosts'
const maxHosts = 200

/** Offers to load the pictures that links of a text stand for; those of hosts that were asked for once are shown. */
export function offerImages(labels: readonly HTMLElement[]): void {
  const hosts = loadHosts()
  for (const label of labels) {
    const link = label.closest('a')
    const url = link && URL.canParse(link.href) ? new URL(link.href) : null
    if (!link || url?.protocol !== 'https:') continue
    const image: External = {
      link,
      label,
      url,
      button: el('button', { class: 'image-choice', type: 'button' }),
    }
    image.button.dataset.host = url.host
    image.button.addEventListener('click', () => choose(url.host))
    image.button.addEventListener('void:image', () => update(image, loadHosts()))
    link.after(image.button)
    update(image, hosts)
  }
}

type External = { link: HTMLAnchorElement; label: HTMLElement; url: URL; button: HTMLButtonElement }

function update({ link, label, url, button }: External, hosts: ReadonlySet<string>): void {
  const isShown = hosts.has(url.host)
  button.textContent = isShown ? `Stop loading images from ${url.host}` : `Load images from ${url.host}`
  button.classList.toggle('image-choice-shown', isShown)
  if (!isShown) {
    link.replaceChildren(label)
    return
  }
  const image = el('img', {
    src: `/api/external-image?${new URLSearchParams({ url: url.href })}`,
    alt: label.textContent,
    loading: 'lazy',
  })
  image.addEventListener('error', () => {
    link.replaceChildren(label)
    button.textContent = `Could not load this image. Stop loading images from ${url.host}`
  })
  link.replaceChildren(image)
}

/** Everywhere in the page at once. */
function choose(host: string): void {
  const hosts = loadHosts()
  if (!hosts.delete(host)) hosts.add(host)
  saveHosts(hosts)
  for (const button of document.querySelectorAll<HTMLElement>('.image-choice'))
    if (button.dataset.host === host) button.dispatchEvent(new Event('void:image'))
}

function loadHosts(): Set<string> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return new Set(Array.isArray(value) ? value.filter((host) => typeof host === 'string') : [])
  } catch {
    return new Set()
  }
}

function saveHosts(hosts: ReadonlySet<string>): void {
  try {
    localStorage.setItem(key, JSON.stringify([...hosts].slice(-maxHosts)))
  } catch {
    // Without storage nothing is remembered, and nothing is loaded.
  }
}
