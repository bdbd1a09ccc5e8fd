// npm run connect, at the server that runs on this data folder. Exit codes: 0 in step, 1 failed or paused, 2 wrong arguments.

import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Folder, FolderPreview, FolderReview } from '../../contract/space/folder.ts'
import { AppError } from '../../core/errors.ts'
import { loadConfig } from '../config.ts'
import { type CallServer, createCallServer, requireServer } from './call-server.ts'
import { asName, readSlug } from './import-args.ts'
import { enterSpace, findSpace } from './import-server-target.ts'
import { runCommand, UsageError } from './run-command.ts'

const usage = `Connects a folder of Markdown with a Space: from then on both are kept the same, both ways.

  npm run connect -- FOLDER --space SLUG [--own PATTERN]… [--review others|all|off] [--take-over] [--dry-run]

  FOLDER         a folder of the machine that Void runs on, below one of FOLDERS
  --space SLUG   the Space, by its short name; made if there is none
  --own PATTERN  where your own words stand, such as 'Journal/**', or '**' for all; the rest counts as by others.
                 Can be given more than once, and later
  --review WHAT  changes in the folder wait as drafts: all of them, or those of others, outside of --own; off: none
  --take-over    also where another Space or server was connected to the folder
  --dry-run      print what would change on each side and change nothing
  --help         this text

Void has to run. At first both sides are joined: nothing is deleted, and where two texts differ, both stay.`

const maxPrinted = 10
const pollMs = 300
/** Longer than tens of thousands of notes take. */
const maxWaitMs = 600_000

await runCommand({ usage, failure: 'The folder was not connected.' }, async (args) => {
  const command = parse(args)
  const call = createCallServer(requireServer(loadConfig()))
  return command.isDryRun ? await preview(call, command) : await connect(call, command)
})

type Command = {
  path: string
  slug: string
  own: string[] | undefined
  review: FolderReview | undefined
  takesOver: boolean
  isDryRun: boolean
}

function parse(args: string[]): Command {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      space: { type: 'string' },
      own: { type: 'string', multiple: true },
      review: { type: 'string' },
      'take-over': { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
    },
  })
  const [folder, ...more] = positionals
  if (!folder || more.length > 0)
    throw new UsageError('Name one folder to connect. Put quotes around a name with spaces.')
  const { 'take-over': takesOver, 'dry-run': isDryRun } = values
  const review = FolderReview.optional().safeParse(values.review)
  if (!review.success) throw new UsageError('--review takes others, all or off.')
  return {
    path: resolve(folder),
    slug: readSlug(values.space),
    own: values.own,
    review: review.data,
    takesOver,
    isDryRun,
  }
}

async function preview(call: CallServer, { path, slug }: Command): Promise<number> {
  const space = await findSpace(call, slug)
  if (!space) throw new AppError('not_found', 404, `Space not found: ${slug}. Without --dry-run it is made.`)
  const body = { path, dry_run: true }
  const found = await call('PUT', `/api/spaces/${space.id}/folder`, FolderPreview, body)
  console.log(
    [
      `${found.path} and “${space.name}”:`,
      line('Files that would become pages', found.to_space),
      line('Pages that would become files', found.to_folder),
      line('Notes whose texts differ, both of which stay', found.different),
      `Notes that are the same: ${found.equal}`,
      ...heldLines(found.held),
    ].join('\n'),
  )
  return 0
}

function line(title: string, { count, paths }: { count: number; paths: string[] }): string {
  return [`${title}: ${count}`, ...paths.slice(0, maxPrinted).map((path) => `  ${path}`)].join('\n')
}

function heldLines(held: Folder['held']): string[] {
  if (held.length === 0) return []
  const lines = held.slice(0, maxPrinted).map(({ path, reason }) => `  ${path} ${reason}`)
  return [`Held: ${held.length}`, ...lines]
}

async function connect(call: CallServer, { path, slug, own, review, takesOver }: Command): Promise<number> {
  const space = await enterSpace(call, slug, asName(slug))
  const at = `/api/spaces/${space.id}/folder`
  let folder = await call('PUT', at, Folder, { path, own, review, take_over: takesOver })
  console.log(`Connected ${folder.path} with “${space.name}”. Both are kept the same from now on.`)
  for (let waited = 0; folder.state === 'syncing' && waited < maxWaitMs; waited += pollMs) {
    await wait(pollMs)
    folder = await call('GET', at, Folder)
  }
  console.log(
    [stateOf(folder), ...watchLines(folder), ...agentLines(folder), ...heldLines(folder.held)].join('\n'),
  )
  return folder.state === 'paused' ? 1 : 0
}

/** Offered where programs may write what nobody looked at. */
function agentLines({ review, agents }: Folder): string[] {
  if (review !== 'off' || agents.length === 0) return []
  return [
    `Coding agents seem to work there: ${agents.join(', ')}.`,
    'With --review others their changes wait for you as drafts.',
  ]
}

function watchLines({ watched }: Folder): string[] {
  return watched ? [] : ['The system does not report changes in it: Void looks for them every minute.']
}

function stateOf({ state, files, problem }: Folder): string {
  if (state === 'in_step') return `In step. Notes: ${files}`
  return state === 'paused' ? `Paused: ${problem}` : 'Still at it; the server goes on.'
}
