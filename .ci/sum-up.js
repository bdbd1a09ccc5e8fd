// node sum-up.js FOLDER [STAGE...]: one line for vitest's JSON results in FOLDER (STAGE.json) and the failed stages.
// A file of tests that could not be loaded counts as a failure, and so does a stage that failed though no test did:
// it crashed, hung, or isn't made of tests.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder, ...failedStages] = process.argv.slice(2)
const explained = new Set()
let passed = 0
let failed = 0

for (const file of readdirSync(folder)) {
  const results = JSON.parse(readFileSync(join(folder, file), 'utf8'))
  const unloaded = results.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  )
  const failures = results.numFailedTests + unloaded.length
  passed += results.numPassedTests
  failed += failures
  if (failures > 0) explained.add(file.replace('.json', ''))
}

failed += failedStages.filter((stage) => !explained.has(stage)).length
console.log(`${passed} passed, ${failed} failed`)
