// A source with bad manners, and what it sends.

import type { ServerResponse } from 'node:http'
import { rpc, type SourceScript } from '../../../helpers/scripted-source.ts'

export type SourceManner = {
  name: string
  /** Over http. */
  script?: SourceScript
  /** As a program: how the fake source behaves when it is asked for its tools, and when one is called. */
  program?: { mode?: string; answer?: string }
  /** Whether a tool is called, after its tools were listed. */
  calls?: boolean
  /** What the source says in the end; left out: it may be used as well, or still be waited for. */
  error?: RegExp
}

/** Writes until the other side is gone, as fast as it reads. */
export function pour(res: ServerResponse, piece: (n: number) => string): void {
  let n = 0
  const more = () => {
    while (!res.destroyed && n < 100_000) if (!res.write(piece(n++))) return
  }
  res.on('drain', more)
  more()
}

export const event = (message: object) => `data: ${rpc(message)}\n\n`
export const many = (of: (n: number) => string) => (n: number) =>
  Array.from({ length: 500 }, (_, at) => of(n * 500 + at)).join('')

export const items = (count: number, item: unknown) => Array.from({ length: count }, () => item)
export const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth)
