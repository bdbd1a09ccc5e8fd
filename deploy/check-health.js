// node deploy/check-health.js URL [SECONDS] [VERSION]
//
// Asks /health until it says "ok" (of that version, when one is named) and exits 0; after the seconds, by default
// at once, it says what was wrong last and exits 1. For the container's health check and for release.sh.

import { setTimeout as delay } from 'node:timers/promises'

const [url, seconds = '0', version] = process.argv.slice(2)
const usage = 'node deploy/check-health.js URL [SECONDS] [VERSION]: asks a Void until it is well.'
if (!url || url === '--help' || url === '-h') {
  console.log(usage)
  process.exit(url ? 0 : 2)
}
const deadline = Date.now() + Number(seconds) * 1000

let problem = await findProblem()
while (problem && Date.now() < deadline) {
  await delay(250)
  problem = await findProblem()
}
if (problem) {
  console.error(`${url}: ${problem}`)
  process.exit(1)
}

/** What keeps the server from being well; `null` when nothing does. */
async function findProblem() {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(4000) })
    if (!answer.ok) return `answered ${answer.status}`
    const health = await answer.json()
    if (health.status !== 'ok') return `says that it is ${health.status}`
    if (version && health.version !== version) return `is version ${health.version}, not ${version}`
    return null
  } catch (error) {
    return error.cause?.message || error.message
  }
}
