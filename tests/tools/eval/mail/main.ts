// `npm run eval:mail -- FOLDER` stores the messages of a folder (.eml files and mbox mailboxes, at any depth) in a Space of
// a database in memory and measures what became of them: how many of each message's own words are kept and found by the
// search, how many quoted words are folded, speed and memory. With TEST_IMAP=imap://127.0.0.1:PORT, of a server that any
// user signs in to with the password "secret", its threads are compared with the server's REFERENCES and REFS.
// `--mistakes` names the files that fell short, `--searched N` how many messages are searched for (default: 300).

import { parseArgs } from 'node:util'
import { createTemporaryKeyring } from '../../../../lib/auth/secrets/master-key.ts'
import { createLogger } from '../../../../lib/core/logger.ts'
import { assemble } from '../../../../lib/server/assemble.ts'
import { loadConfig } from '../../../../lib/server/config.ts'
import { printHelp } from '../../../helpers/print-help.ts'
import { openEvalDatabase } from '../open-database.ts'
import { compareThreads } from './compare-threads.ts'
import { type Measured, measureMessage, rareWords, readFolder, storeAll } from './measure-mail.ts'

printHelp(import.meta.url)

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mistakes: { type: 'boolean', default: false },
    searched: { type: 'string', default: '300' },
  },
})
const [folder] = positionals
if (!folder) throw new Error('Name a folder of messages: npm run eval:mail -- FOLDER')

const messages = await readFolder(folder)
const { database, close } = await openEvalDatabase(process.env.TEST_DATABASE_URL)
const deps = assemble(loadConfig(), {
  database,
  ownerToken: 'owner_eval',
  keyring: createTemporaryKeyring(),
  logger: createLogger('silent'),
})
const space = await deps.content.spaces.create({ kind: 'owner' }, { name: 'Mail', description: '' })

const started = performance.now()
const stored = await storeAll(deps, space.id, messages)
const seconds = (performance.now() - started) / 1000
const measured: Measured[] = []
for (const { name, raw, id } of stored) measured.push(await measureMessage(database, { name, raw, id }))

const percent = (part: number, whole: number) =>
  `${((100 * part) / Math.max(1, whole)).toFixed(2).padStart(6)} %`
const withOwn = measured.filter(({ own }) => own.all > 0)
const kept = withOwn.filter(({ own }) => own.kept >= 0.95 * own.all)
const quotes = measured.filter(({ quoted }) => quoted.all > 0)
const sum = (list: readonly Measured[], of: (one: Measured) => number) =>
  list.reduce((all, one) => all + of(one), 0)
const ownFolded = sum(withOwn, ({ own }) => own.folded)
console.log(
  `messages                    ${measured.length} of ${messages.length} files, ${seconds.toFixed(1)} s, ${(measured.length / seconds).toFixed(0)} a second`,
)
console.log(
  `own words kept              ${percent(kept.length, withOwn.length)} of messages have 95 % of them`,
)
console.log(
  `own words in a fold         ${percent(
    ownFolded,
    sum(withOwn, ({ own }) => own.all),
  )} (signatures and footers included)`,
)
console.log(
  `quoted words in a fold      ${percent(
    sum(quotes, ({ quoted }) => quoted.folded),
    sum(quotes, ({ quoted }) => quoted.all),
  )} of ${quotes.length} messages`,
)
console.log(`replacement characters      ${sum(measured, ({ replaced }) => replaced)}`)

const wanted = rareWords(measured, Number(values.searched))
let found = 0
for (const { id, words } of wanted) {
  const q = words.join(' ')
  const asked = { space_ids: [space.id], q, kinds: ['mail_message' as const], limit: 10, per_entity: 1 }
  const { items } = await deps.search.show(asked, 100)
  // Mails with the same text are one result.
  if (items.some((item) => [item, ...item.same].some(({ entity_id }) => entity_id === id))) found += 1
}
console.log(
  `found by own words          ${percent(found, wanted.length)} of ${wanted.length}, among the first ten`,
)
console.log(`memory                      ${Math.round(process.memoryUsage().rss / 1e6)} MB`)
if (process.env.TEST_IMAP)
  await compareThreads(database, { space_id: space.id, url: process.env.TEST_IMAP, stored })
if (values.mistakes) {
  const short = [
    ...withOwn.filter((one) => !kept.includes(one)),
    ...quotes.filter(({ quoted }) => quoted.folded < 0.95 * quoted.all),
  ]
  for (const { name, own, quoted } of short)
    console.log(`${name}: own ${own.kept}/${own.all}, quoted ${quoted.folded}/${quoted.all}`)
}
await close()
