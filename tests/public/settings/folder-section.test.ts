import { expect, test } from 'vitest'
import type { Folder } from '../../../lib/contract/space/folder.ts'
import type { LoadContext, ViewContext } from '../../../public/app/view.ts'
import { folderSection } from '../../../public/settings/folder/folder-section.ts'
import { el } from '../../../public/ui/dom.ts'

const space = { id: 's', name: 'Notes', slug: 'notes' }
const folder: Folder = {
  path: '/home/ada/notes',
  state: 'in_step',
  problem: null,
  own: [],
  review: 'off',
  agents: [],
  waiting: 0,
  files: 3,
  held: [],
  last_at: '2026-03-01T11:58:00.000Z',
  watched: true,
}

/** The state of the folder as it is written for a browser, without its tags. */
async function stateOf(changes: Partial<Folder>): Promise<string> {
  const answers: Record<string, unknown> = {
    '/api/spaces?limit=200': { items: [space] },
    '/api/folders': { items: [{ ...folder, ...changes, space_id: 's' }] },
  }
  const get = async (path: string) => answers[path] ?? { items: [], next_cursor: null }
  const url = new URL('http://void.example/settings/folder')
  const context = { app: { api: {} }, now: new Date('2026-03-01T12:00:00Z') } as unknown as ViewContext
  const section = await folderSection.open({ api: { get }, url, space } as unknown as LoadContext)
  const html = el('div', {}, section.render(context)).outerHTML
  const state = /<section[^>]*id="folder-state".*?<\/section>/s.exec(html)![0]
  return state.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
}

test('a folder in step, of which the system reports every change', async () => {
  const text = await stateOf({})

  expect(text).toMatch(/In step · 2 min/)
  expect(text).not.toMatch(/every minute|not report/)
})

test('where the system does not report changes, the state says how late they are found, and why', async () => {
  const text = await stateOf({ watched: false })

  expect(text).toMatch(/In step · .* · changes in the folder are found every minute, not at once/)
  expect(text).toMatch(/The system does not report every change in this folder/)
})

test('a folder that is paused finds nothing, and says only that', async () => {
  const text = await stateOf({ watched: false, state: 'paused', problem: 'You paused it.' })

  expect(text).toMatch(/Paused: You paused it\./)
  expect(text).not.toMatch(/every minute|not report/)
})
