// Loaded into a measured server before anything else: the system has no watches left, as a network disk has none.

import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

fs.watch = () => {
  throw Object.assign(new Error('no watches are left'), { code: 'ENOSPC' })
}
syncBuiltinESMExports()
