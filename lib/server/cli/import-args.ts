import { parseArgs } from 'node:util'
import { UsageError } from './run-command.ts'
import type { ImportCommand } from './run-import.ts'

export const usage = `Brings a folder of notes and documents, such as an Obsidian vault, into a Space.

  npm run import -- FOLDER --space SLUG [--name NAME] [--source NAME] [--outside] [--preview]

  FOLDER         the folder to read, or one file, such as a .zip or .mbox; nothing in it is changed
  --space SLUG   the Space to fill, by its short name; made if there is none
  --name NAME    what to call a Space that is made
  --source NAME  under which name to remember the folder; its full path, unless given.
                 With the name of an earlier import, this one goes on from there
  --outside      others wrote the files: drafts made after reading them say so
  --preview      print what would happen and change nothing
  --help         this text

Run it again at any time: what changed is updated, and nothing comes in twice.`

/** The command that the arguments spell. Throws `UsageError`. */
export function parseCommand(args: string[]): ImportCommand {
  const { values, positionals } = parse(args)
  const [folder, ...more] = positionals
  if (!folder) throw new UsageError('Name the folder to import.')
  if (more.length > 0) {
    throw new UsageError(
      `Name one folder; ${positionals.length} were given. Put quotes around a name with spaces.`,
    )
  }
  const { source } = values
  const space = readSlug(values.space)
  if (source !== undefined && (source === '' || source.length > 500)) {
    throw new UsageError('--source takes 1 to 500 characters.')
  }
  return {
    folder,
    space,
    name: values.name?.trim() || asName(space),
    source: source ?? null,
    preview: values.preview,
    trust: values.outside ? 'outside' : 'own',
  }
}

/** The short name of a Space. Throws `UsageError` for one that is none. */
export function readSlug(space: string | undefined): string {
  if (!space) throw new UsageError('Name the Space with --space SLUG.')
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(space) || space.length > 80) {
    throw new UsageError(`“${space}” is no short name: use lower-case letters, digits and single hyphens.`)
  }
  return space
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        space: { type: 'string' },
        name: { type: 'string' },
        source: { type: 'string' },
        preview: { type: 'boolean', default: false },
        outside: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

// `reading-notes` → `Reading notes`
export function asName(slug: string): string {
  const words = slug.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
