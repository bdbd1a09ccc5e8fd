// `npm run audit:verify`: reads the whole audit log and says whether it is as it was written. `-- SEQ:HASH` also checks
// that a head noted earlier is still in it. Ends with 1 when it is not sound, with 2 when it could not be read.

import type { ChainHead } from '../../contract/audit.ts'
import { AppError, invalid } from '../../core/errors.ts'
import { isMissingSchema } from '../../db/pg-errors.ts'
import type { Database } from '../../db/pool.ts'
import { type Verdict, verifyAudit } from '../../ops/audit/verify.ts'
import { loadConfig } from '../config.ts'
import { withStore } from './open-store.ts'
import { refuseArguments, runCommand } from './run-command.ts'

const usage = `Reads the whole audit log and says whether it is as it was written.

  npm run audit:verify [-- SEQ:HASH]

  SEQ:HASH   a head that was printed before; also checks that it is still in the log

Exit code 1: it is not sound; 2: it could not be read.`

const failure = 'The audit log cannot be verified.'

await runCommand({ usage, failure, failureCode: 2 }, async ([head, ...more]) => {
  refuseArguments(more)
  const noted = parseHead(head)
  const verdict = await withStore(loadConfig(), (database) => verify(database, noted)).catch(explainInUse)
  console.log(describe(verdict))
  return verdict.sound ? 0 : 1
})

function explainInUse(error: unknown): never {
  if (!(error instanceof AppError && error.code === 'data_folder_in_use')) throw error
  const { code, status, message } = error
  const way = 'Or ask the Void that runs there: GET /api/audit/verify, with the owner’s token.'
  throw new AppError(code, status, `${message}\n${way}`, { cause: error })
}

async function verify(database: Database, noted: ChainHead | null): Promise<Verdict> {
  try {
    return await verifyAudit(database, { noted })
  } catch (cause) {
    if (!isMissingSchema(cause)) throw cause
    throw new AppError('not_migrated', 500, 'The schema is out of date: run `npm run migrate` first.', {
      cause,
    })
  }
}

function parseHead(text: string | undefined): ChainHead | null {
  if (text === undefined) return null
  const [, seq, hash] = /^(\d+):([0-9a-f]{64})$/.exec(text) ?? []
  if (!seq || !hash) throw invalid(`${text} is not a head. Pass it as SEQ:HASH, as printed.`)
  return { seq: Number(seq), hash }
}

function describe(verdict: Verdict): string {
  if (!verdict.sound) return `Row ${verdict.seq} is the first that does not verify. ${verdict.why}`
  const { rows, redacted, head } = verdict
  return [
    `All ${rows} rows verified; none is missing.`,
    ...(redacted > 0
      ? [`Words were removed from ${redacted} of them by the owner, as the log records.`]
      : []),
    `The head is ${head.seq}:${head.hash}`,
    'Record it elsewhere and pass it next time, to detect a truncated or rewritten log.',
  ].join('\n')
}
