// npm run export. Exit codes: 0 done, 1 failed, 2 wrong arguments.

import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { AppError } from '../../core/errors.ts'
import { loadConfig } from '../config.ts'
import { claimFolder, openSource, writeFolder } from './export-spaces.ts'
import { runCommand, UsageError } from './run-command.ts'

const usage = `Writes a Space as a folder of Markdown files, which an import reads back.

  npm run export -- FOLDER [--space SLUG] [--trash]

  FOLDER         the folder to fill; made if there is none, and refused if there is something in it
  --space SLUG   the Space to write, by its short name; left out: all of them, each in a folder of its own
  --trash        with what is in the trash, in a folder of its own
  --help         this text`

await runCommand({ usage, failure: 'Nothing more was written.' }, main)

async function main(args: string[]): Promise<number> {
  const { folder, slug, trash } = parse(args)
  const source = await openSource(loadConfig())
  try {
    const all = await source.listSpaces()
    const spaces = slug === null ? all : all.filter((space) => space.slug === slug)
    if (spaces.length === 0) {
      throw new AppError('not_found', 404, slug === null ? 'There is no Space.' : `Space not found: ${slug}.`)
    }
    await claimFolder(folder)
    for (const space of spaces) {
      const place = slug === null ? join(folder, space.slug) : folder
      const count = await writeFolder(place, source.files(space.id, trash))
      console.log(`Wrote “${space.name}” into ${place}: ${count} files.`)
    }
    return 0
  } finally {
    await source.close()
  }
}

/** Throws `UsageError`, and what `parseArgs` throws. */
function parse(args: string[]): { folder: string; slug: string | null; trash: boolean } {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { space: { type: 'string' }, trash: { type: 'boolean', default: false } },
  })
  const [folder, ...more] = positionals
  if (!folder || more.length > 0) throw new UsageError('Name one folder to write to.')
  return { folder: resolve(folder), slug: values.space ?? null, trash: values.trash }
}
