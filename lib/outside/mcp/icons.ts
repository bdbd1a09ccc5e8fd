// Icons as data, so that a client fetches nothing to show them.

import { readFileSync } from 'node:fs'
import type { Tool } from '@modelcontextprotocol/server'

type Icons = NonNullable<Tool['icons']>

/** Strokes on a grid of 16; with commas, since a space takes three characters in an address. */
const strokes: Record<string, string> = {
  search: 'M7,12a5,5,0,1,0,0-10,5,5,0,0,0,0,10zM10.5,10.5,14,14',
  read: 'M4,2h8v12H4zM6,5h4M6,8h4M6,11h2',
  list: 'M5,4h9M5,8h9M5,12h9M2,4h1M2,8h1M2,12h1',
  propose_change: 'M10.5,3l2.5,2.5L5.5,13,2,14l1-3.5z',
  revise_change: 'M2,14l1-3.5L10.5,3l2.5,2.5L5.5,13zM9,14h5',
  withdraw_change: 'M6,4,2,8l4,4M2,8h8a4,4,0,0,1,0,6',
  research: 'M6,2h4M7,2v4L3,13h10L9,6V2M5,10h6',
  changes: 'M2,9h3l1,2h4l1-2h3M2,9l2-6h8l2,6v4H2z',
}

/** None for a tool without one. */
export function toolIcons(name: string): { icons?: Icons } {
  const path = strokes[name]
  if (!path) return {}
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0,0,16,16' fill='none' stroke='#6d4fd0'><path d='${path}'/></svg>`
  return { icons: [{ src: `data:image/svg+xml,${svg.replace(/[<># ]/g, encodeURIComponent)}` }] }
}

/** Void's own. */
export function serverIcons(): Icons {
  const svg = readFileSync(new URL('../../../public/ui/icons/icon.svg', import.meta.url))
  return [
    {
      src: `data:image/svg+xml;base64,${svg.toString('base64')}`,
      mimeType: 'image/svg+xml',
      sizes: ['any'],
    },
  ]
}
