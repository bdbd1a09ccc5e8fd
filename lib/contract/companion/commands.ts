// Commands: prompts under a name, kept as pages below the page “Commands”.

import { z } from 'zod'
import { count, id } from '../scalars.ts'

/** Title of the page at the top whose direct children are the commands of a Space. */
export const commandsPage = 'Commands'

/** Stands in a prompt for what is written behind the name of its command. */
export const argumentsSign = '$ARGUMENTS'

export const Command = z.object({
  id: id.describe('Id of its page'),
  space_id: id,
  name: z.string().describe('What is typed behind the slash, from the title of its page: `weekly-review`'),
  description: z
    .string()
    .describe('Property `description` of the page. Default: the first line of the prompt'),
  prompt: z.string(),
  takes_arguments: z.boolean().describe('`true` if the prompt contains $ARGUMENTS'),
  companion: z
    .string()
    .nullable()
    .describe('Property `companion`: slug or name of the companion that is asked; null: the one in use'),
  approved: z
    .boolean()
    .describe('`false` for text from outside that the owner has not approved: it does not run'),
  version: count.describe('Version of the page'),
})
export type Command = z.infer<typeof Command>

/** The command that a message was sent with. */
export const UsedCommand = z.object({ id, name: z.string(), arguments: z.string() })
export type UsedCommand = z.infer<typeof UsedCommand>
