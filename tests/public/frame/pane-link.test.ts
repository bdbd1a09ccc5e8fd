import { afterEach, beforeEach, expect, test } from 'vitest'
import { onMessageFrom } from '../../../public/frame/desk/pane-link.ts'

const pane = {} as Window
const elsewhere = {} as Window

beforeEach(() => {
  Object.assign(globalThis, { window: new EventTarget(), location: { origin: 'https://void.example' } })
})
afterEach(() => {
  for (const name of ['window', 'location']) Reflect.deleteProperty(globalThis, name)
})

/** The data of the messages that were heeded. */
function heed(...messages: { origin: string; source: Window; data: unknown }[]): unknown[] {
  const heeded: unknown[] = []
  onMessageFrom(
    () => pane,
    (message) => heeded.push(message),
    new AbortController().signal,
  )
  for (const message of messages) {
    window.dispatchEvent(Object.assign(new Event('message'), message))
  }
  return heeded
}

test('a message counts from the pane and from this origin alone, and only in its form', () => {
  const data = { void: 'go', href: '/inbox' }

  const heeded = heed(
    { origin: 'https://void.example', source: pane, data },
    { origin: 'https://evil.example', source: pane, data },
    { origin: 'null', source: pane, data },
    { origin: 'https://void.example', source: elsewhere, data },
    { origin: 'https://void.example', source: pane, data: null },
    { origin: 'https://void.example', source: pane, data: 'go' },
    { origin: 'https://void.example', source: pane, data: { void: 1 } },
  )

  expect(heeded).toEqual([data])
})
