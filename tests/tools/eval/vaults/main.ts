// `npm run eval:vaults -- FOLDER …`: what becomes of the links, pictures and bytes of a folder that comes in and goes out
// again. docs/development.md says what the figures mean.

import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { listFolder } from '../../../../lib/files/import/read/read-folder.ts'
import { openEvalDatabase } from '../open-database.ts'
import { toolOf } from './folder-resolver.ts'
import { measureVault, type VaultReport } from './measure-vault.ts'

const usage = `Usage: npm run eval:vaults -- [options] FOLDER …

  --tool NAME      obsidian, logseq, dendron or plain; as the folder looks, unless given
  --faults N       print so many of what is not right
  --postgres URL   on this server, in a database made and dropped there`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tool: { type: 'string' },
    faults: { type: 'string', default: '0' },
    postgres: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
if (values.help || positionals.length === 0) {
  console.log(usage)
  process.exit(values.help ? 0 : 2)
}

const heads = [
  'folder',
  'tool',
  'files',
  'links right',
  'pictures shown',
  'same bytes',
  'leading before → after',
]
console.log(`| ${[...heads, 'notes moved', 'front matter unreadable', 'same again'].join(' | ')} |`)
console.log(`|${' --- |'.repeat(heads.length + 3)}`)
const { database, close } = await openEvalDatabase(values.postgres)
try {
  for (const path of positionals) {
    const { files } = await listFolder(path)
    const folder = new Map<string, Uint8Array>()
    for (const file of files) if (!file.skip) folder.set(file.path, await readFile(file.location))
    const given = (['obsidian', 'logseq', 'dendron', 'plain'] as const).find((name) => name === values.tool)
    const tool = given ?? toolOf([...folder.keys()], await readdir(join(path)))
    const report = await measureVault(database, folder, tool)
    console.log(lineOf(basename(path), tool, report))
    for (const fault of pick(report.faults, Number(values.faults))) console.log(fault)
  }
} finally {
  await close()
}

function lineOf(name: string, tool: string, report: VaultReport): string {
  const { files, skipped, links, right, pictures, shown, same, after, moved, unreadable, pages, again } =
    report
  const cells = [
    ...[name, tool, skipped > 0 ? `${files} (${skipped} skipped)` : files],
    ...[`${right} of ${links}`, `${shown} of ${pictures}`, `${same} of ${files}`],
    ...[`${links} → ${after}`, moved, unreadable, `${again} of ${pages}`],
  ]
  return `| ${cells.join(' | ')} |`
}

/** Some of each sort. */
function pick(faults: readonly string[], count: number): string[] {
  return [...Map.groupBy(faults, (fault) => fault.split(':')[0]).values()].flatMap((ofSort) =>
    ofSort.slice(0, count),
  )
}
