// The first paint of a page. One with large texts is drawn in a thread, from the answers that were loaded here; where
// that takes too long, its texts are shown as they are.

import { maxMainThread, type TextThreads, textTask } from '../../jobs/workers/text-threads.ts'
import type { LocalApi } from './local-api.ts'
import { paintRecorded } from './paint-recorded.ts'
import { loadPainter, type Painted, type PaintRequest } from './painter.ts'
import { inTimeZone } from './platform.ts'

export async function paintPage(
  threads: TextThreads,
  request: Omit<PaintRequest, 'api'> & { api: LocalApi },
): Promise<Painted> {
  const { url, api, prefs, now, zone, pane } = request
  const painter = await loadPainter()
  const opened = await inTimeZone(zone, () => painter.open(request))
  const length = drawnLength(api.answers)
  if (opened.status !== 200 || length <= maxMainThread) return await inTimeZone(zone, opened.draw)
  const recorded = { href: url.href, answers: api.answers, prefs, now: now.toISOString(), zone, pane }
  const painted = await threads.run(paintTask, recorded, length)
  return painted ?? (await paintRecorded({ ...recorded, answers: withPlainTexts(api.answers) }))
}

const paintTask = textTask(new URL('./paint-recorded.ts', import.meta.url), paintRecorded)

/** Characters: a shorter text costs nothing to speak of. */
const minLength = 5000

/** Characters of the longer texts in the answers. */
function drawnLength(value: unknown): number {
  if (typeof value === 'string') return value.length < minLength ? 0 : value.length
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((length: number, item) => length + drawnLength(item), 0)
}

/** The same answers, the longer Markdown in them as code. */
function withPlainTexts<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withPlainTexts) as Value
  const isMarkdown = (name: string) => name === 'body' || (name === 'text' && 'mime' in value)
  const fields = Object.entries(value).map(([name, field]) =>
    typeof field === 'string' && field.length >= minLength && isMarkdown(name)
      ? [name, asCode(field)]
      : [name, withPlainTexts(field)],
  )
  return Object.fromEntries(fields)
}

function asCode(text: string): string {
  let ticks = 2
  for (const [run] of text.matchAll(/`+/g)) ticks = Math.max(ticks, run.length)
  const fence = '`'.repeat(ticks + 1)
  return `This text is too complex to show in full. It is shown as it is.\n\n${fence}\n${text}\n${fence}\n`
}
