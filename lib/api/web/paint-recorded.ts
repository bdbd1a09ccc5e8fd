import type { LocalApi } from './local-api.ts'
import { loadPainter, type Painted, type Prefs } from './painter.ts'

type Recorded = { href: string; answers: LocalApi['answers']; prefs: Prefs; now: string; pane: boolean }

/** Paints from answers that were given before. */
export async function paintRecorded({ href, answers, prefs, now, pane }: Recorded): Promise<Painted> {
  const painter = await loadPainter()
  const get = async <Answer>(path: string) => {
    if (!(path in answers)) throw new Error(`the paint asks for what was not loaded: ${path}`)
    return answers[path] as Answer
  }
  const opened = await painter.open({ url: new URL(href), api: { get }, prefs, now: new Date(now), pane })
  return await opened.draw()
}
