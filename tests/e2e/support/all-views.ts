// A Space in which every view has something to show, and the address of each of them.

import { makeAgent, makeWorld, type World } from '../../helpers/world.ts'
import type { Site } from './site.ts'

export type FullWorld = World & {
  /** The token of an agent that may suggest. */
  agentToken: string
  /** A draft that waits, of a change to a page. */
  draft: string
  /** The one source document. */
  scan: string
  /** The one ref, and the one resource. */
  ref: string
  resource: string
  /** A saved list of pages, parts of which are not supported. */
  view: string
  /** A research run that was stopped with its plan. */
  research: string
}

export async function makeFullWorld(site: Site): Promise<FullWorld> {
  const { owner, as } = site
  const world = await makeWorld(site)
  const at = `/api/spaces/${world.space.id}`
  const { token: agentToken } = await makeAgent(site, { slug: 'surveyor' })
  const agent = as(agentToken)

  const made = await agent
    .patch(`/api/pages/${world.lamp.id}`)
    .send({ version: 1, body: 'The lamp turns once in ten seconds.', reason: 'It was measured.' })
  await agent.post(`${at}/tasks`).send({ title: 'Oil the gears', reason: 'They squeak.' })
  const refused = await agent.delete(`/api/tasks/${world.paint.id}`).send({ version: 1, reason: 'Done.' })
  await owner.post(`/api/pending-changes/${refused.body.id}/reject`).send({ reason: 'Not yet.' })
  const ref = await owner
    .post(`${at}/refs`)
    .send({ title: 'Light list', url: 'https://example.com/lights', author: 'Board' })
  const resource = await owner.post(`${at}/resources`).send({ title: 'Red lead', kind: 'material' })
  await owner
    .post(`${at}/tasks`)
    .send({ title: 'Wind the clock', due_on: '2026-01-02', status: 'in_progress' })
  const gone = await owner.post(`${at}/pages`).send({ title: 'Old rota' })
  await owner.delete(`/api/pages/${gone.body.id}`).send({ version: 1 })
  const base64 = Buffer.from('The storm of 1911').toString('base64')
  await owner.post(`${at}/import`).send({ source: 'desk', files: [{ path: 'storm.txt', base64 }] })
  await owner.post(`${at}/companion/turn`).send({ text: 'How often does the lamp turn?', research: 'quick' })
  const { body: runs } = await owner.get(`${at}/research`)
  // While it waits, the thread is its own.
  await owner.post(`/api/research/${runs.items[0].id}/stop`).send({})
  await owner.post(`${at}/pages`).send({
    title: 'Lens',
    body: '---\nheight: 2.6\nlit: 1859-05-01\nclean: true\nkeeper: "[[The lamp]]"\nparts: [glass, brass]\n---\n#light/optics',
  })
  const view = await owner.post(`${at}/views`).send({
    title: 'High ones',
    body: 'filters:\n  and: [height > 1, "list(parts).contains(this)"]\nviews:\n  - name: High ones\n    order: [file.name, height, lit, clean, keeper, parts, file.tags]\n',
  })
  const { body: scans } = await owner.get(`${at}/source-docs`)

  return {
    ...world,
    agentToken,
    draft: made.body.id,
    scan: scans.items[0].id,
    ref: ref.body.id,
    resource: resource.body.id,
    research: runs.items[0].id,
    view: view.body.id,
  }
}

const home = '/s/skerry-light'

/** Every view by its name. The last one answers with 404. */
export const allViews: [string, (world: FullWorld) => string][] = [
  ['the home of a Space', () => home],
  ['an empty Space', () => '/s/harbour-office'],
  ['the list of Spaces', () => '/spaces'],
  ['the pages', () => `${home}/pages`],
  ['the pages as a table', () => `${home}/pages?view=table`],
  ['the pages as cards', () => `${home}/pages?view=cards&tag=light`],
  ['the tags', () => `${home}/pages?view=tags`],
  ['a saved view', ({ view }) => `${home}/views/${view}`],
  ['a page', ({ lamp }) => `${home}/pages/${lamp.id}`],
  ['the editor of a page', ({ lamp }) => `${home}/pages/${lamp.id}?edit`],
  ['the history of a page', ({ lamp }) => `${home}/pages/${lamp.id}?history`],
  ['the tasks', () => `${home}/tasks`],
  ['the board', () => `${home}/tasks?view=board`],
  ['a task', ({ paint }) => `${home}/tasks/${paint.id}`],
  ['the projects', () => `${home}/projects`],
  ['a project', ({ repairs }) => `${home}/projects/${repairs.id}`],
  ['the refs', () => `${home}/refs`],
  ['a ref', ({ ref }) => `${home}/refs/${ref}`],
  ['the resources', () => `${home}/resources`],
  ['a resource', ({ resource }) => `${home}/resources/${resource}`],
  ['the source documents', () => `${home}/source-docs`],
  ['a source document', ({ scan }) => `${home}/source-docs/${scan}`],
  ['the research', () => `${home}/research`],
  ['a research run', ({ research }) => `${home}/research/${research}`],
  ['the trash', () => `${home}/trash`],
  ['Today', () => '/today'],
  ['the Inbox', () => '/inbox'],
  ['a draft', ({ draft }) => `/inbox/${draft}`],
  ['what was decided', () => '/inbox?tab=decided'],
  ['the search', () => '/search?space=all&q=lamp'],
  ['a search that finds nothing', () => '/search?space=all&q=zeppelin'],
  ['the activity', () => '/activity'],
  ['the settings', () => '/settings'],
  ['the agents', () => '/settings/agents'],
  ['the model', () => '/settings/model'],
  ['the usage', () => '/settings/usage'],
  ['the import', () => '/settings/import'],
  ['the connected folder', () => '/settings/folder'],
  ['the export', () => '/settings/export'],
  ['the settings of notes', () => '/settings/notes'],
  ['the settings of a Space', () => `${home}/settings`],
  ['the appearance', () => '/settings/appearance'],
  ['an address there is nothing at', () => `${home}/nowhere`],
]
