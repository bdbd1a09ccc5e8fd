// That one place of the browser knows the path that Void is served below.

import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** What reads or changes the address of the page, or asks the server for something, by itself. */
const direct =
  /\blocation\.(?:href|pathname|origin|host|assign|replace)\b|history\.(?:push|replace)State\([^)]*'[^']+'\)|(?<![.\w])fetch\(|\.open\('(?:GET|POST|PUT)'|\bnew (?:EventSource|Worker|WebSocket)\(|sendBeacon|(?<!dataset)\.(?:href|src|action) = |setAttribute\('(?:href|src|action)'/g

/** By file: what is no address of Void, or is written out by `outward`. */
const known: Record<string, string[]> = {
  'public/ui/address.ts': [
    'location.href',
    'location.href',
    'location.origin',
    'location.origin',
    'location.assign',
  ],
  // Messages between windows go by origin.
  'public/frame/desk/pane-link.ts': ['location.origin', 'location.origin'],
  'public/frame/desk/right-frame.ts': ['location.origin'],
  'public/start/service-worker.ts': [
    'location.origin',
    'fetch(',
    'location.origin',
    'fetch(',
    'fetch(',
    'fetch(',
  ],
  // Addresses of other hosts.
  'public/app/router/router.ts': ['location.origin', 'location.assign'],
  'public/settings/sources/source.ts': ['location.assign'],
  'public/settings/sections/notes-section.ts': [
    "setAttribute('href'",
    "setAttribute('href'",
    'location.href',
  ],
  // The page that is shown, compared with a link as it is written out.
  'public/page/read/link-headings.ts': ['location.host', 'location.pathname'],
  // By the API, which writes it out.
  'public/features/canvas/mount-canvas.ts': ['fetch('],
  // By `outward`.
  'public/app/api/api.ts': ['fetch(', 'fetch('],
  'public/app/api/upload.ts': [".open('POST'"],
  'public/settings/passkeys/sign-in.ts': ['location.replace'],
  'public/features/capture/capture.ts': ["history.replaceState(null, '', outward('/capture')"],
}

test('nothing else of the browser reads or writes the address of the page', () => {
  const found = globSync('public/**/*.ts').flatMap((file) => {
    const code = readFileSync(file, 'utf8').replace(/^ *(?:\/\/|\*|\/\*).*$/gm, '')
    const uses = code.match(direct)
    return uses ? [[file, uses.map(String)] as const] : []
  })

  expect(Object.fromEntries(found)).toEqual(known)
})
