// The bridge to public/: its modules are written for the browser's types, and only this file says what of them the
// server uses.

import type { ConsentForm } from '../../contract/auth.ts'
import type { LocalApi } from './local-api.ts'

export type Prefs = { theme: string; railWidth: number; railOpen: boolean; space: string | null }

export type Painted = {
  status: number
  title: string
  html: string
  module: string | null
  area: string | null
}

export type PaintRequest = {
  url: URL
  api: Pick<LocalApi, 'get'>
  prefs: Prefs
  now: Date
  /** The owner's time zone; `null`: unknown. */
  zone: string | null
  pane: boolean
}

export type Painter = {
  /** Loads all that `draw` takes, which asks for nothing more. */
  open(request: PaintRequest): Promise<{ status: number; draw(): Promise<Painted> }>
  signInPage(form: { problem: string | null; next: string; code: string | null }): string
  passkeyPage(): string
  capturePage(): string
  /** Safe HTML of a Markdown text that is read outside of the app. */
  sharedText(markdown: string, slug: string): string
  consentPage(form: ConsentForm): string
  connectProblemPage(problem: string): string
  parsePrefs(cookie: string | undefined): Prefs
  prefsCookie: string
}

const painterUrl = new URL('../../../public/start/server.ts', import.meta.url)

/** The functions of public/start/server.ts. Node loads the module once. */
export async function loadPainter(): Promise<Painter> {
  return await import(painterUrl.href)
}
