// Runs before what tests, checks and measures: `npm install` alone brings what Void needs to run (.npmrc). In syntax that old
// versions of Node can parse.

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))

if (!Object.keys(devDependencies).every((name) => existsSync(`node_modules/${name}`))) {
  console.log('Installing what tests and checks need, once')
  const args = [process.env.npm_execpath, 'install', '--include=dev', '--no-save']
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  process.exit(status ?? 1)
}
