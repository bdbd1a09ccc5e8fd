import { z } from 'zod'

/** How a text comes into the Space: all but `note` as an import, which nobody vouches for. */
const Place = z.enum(['page', 'title', 'mail', 'html', 'note', 'task'])

const Payload = z.strictObject({
  kind: z.string().default('given'),
  text: z.string().min(1),
  place: Place.optional(),
})
export type Payload = z.infer<typeof Payload> & { place: z.infer<typeof Place> }

/**
 * The payloads of a file: one a line, as text or as JSON `{ "text", "kind"?, "place"? }`. Those that name no place go to
 * every one in turn. Throws for JSON that is no payload.
 */
export function parsePayloads(file: string): Payload[] {
  return file
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, n) => {
      const payload = line.startsWith('{"') ? Payload.parse(JSON.parse(line)) : Payload.parse({ text: line })
      return { ...payload, place: payload.place ?? Place.options[n % Place.options.length]! }
    })
}

/** The text with the names of what is there in place of `{{name}}`. */
export const fillIn = (text: string, names: Readonly<Record<string, string>>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (whole, name) => names[name] ?? whole)
