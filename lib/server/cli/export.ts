// npm run export. Exit codes: 0 done, 1 failed, 2 wrong arguments.

import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { AppError } from '../../core/errors.ts'
import { ConfigError, loadConfig } from '../config.ts'
import { claimFolder, openSource, writeFolder } from './export-spaces.ts'

const usage = `Writes a Space as a folder of Markdown files, which an import reads back.

  npm run export -- FOLDER [--space SLUG] [--trash]

  FOLDER         the folder to fill; made if there is none, and refused if there is something in it
  --space SLUG   the Space to write, by its short name; left out: all of them, each in a folder of its own
  --trash        with what is in the trash, in a folder of its own
  --help         this text`

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof AppError || error instanceof ConfigError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

async function main(args: string[]): Promise<number> {
  const command = read(args)
  if (typeof command === 'string') {
    console[command === usage ? 'log' : 'error'](command)
    return command === usage ? 0 : 2
  }

  const { folder, slug, trash } = command
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

/** The command, or what to tell instead. */
function read(args: string[]): { folder: string; slug: string | null; trash: boolean } | string {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        space: { type: 'string' },
        trash: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h' },
      },
    })
    if (values.help) return usage
    const [folder, ...more] = positionals
    if (!folder || more.length > 0) return `Name one folder to write to.\n\n${usage}`
    return { folder: resolve(folder), slug: values.space ?? null, trash: values.trash }
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}\n\n${usage}`
  }
}
