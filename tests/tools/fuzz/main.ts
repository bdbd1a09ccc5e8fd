// `npm run fuzz -- writers`, `npm run fuzz -- drafts` and `npm run fuzz -- folder` run those fuzzers, anything else the one of
// requests. Each file says its options.

import { printHelp } from '../../helpers/print-help.ts'

printHelp(import.meta.url)

const [mode] = process.argv.slice(2)
if (mode === 'writers') await import('./writers-main.ts')
else if (mode === 'drafts') await import('./drafts-main.ts')
else if (mode === 'folder') await import('./folder-main.ts')
else await import('./http-main.ts')
