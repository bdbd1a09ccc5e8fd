import type { ChainHead } from '../../contract/audit.ts'
import type { Queryable } from '../../db/pool.ts'
import { type AuditChain, type ChainLink, createAuditChainRepo } from '../../db/repos/audit_chain.ts'

export type Verdict =
  /**
   * All rows are unchanged and none is missing, but for `redacted` of them, from which the owner removed words: they are
   * exactly as the log records it. `head` is worth noting elsewhere.
   */
  | { sound: true; rows: number; redacted: number; head: ChainHead }
  /** `seq`: the first row that is wrong or missing. */
  | { sound: false; rows: number; seq: number; why: string }

export type VerifyOptions = {
  /** An earlier head: that row must still exist unchanged. */
  noted?: ChainHead | null
  /** Rows per read. */
  batch?: number
}

const beginning = '0'.repeat(64)

/**
 * Walks the audit log from its first row to its head and stops at the first error. A few hashes at a time are held in
 * memory. The log may grow meanwhile. Truncation with a matching head can't be detected from the log alone; for that,
 * note a head and pass it as `noted` later.
 */
export async function verifyAudit(db: Queryable, options: VerifyOptions = {}): Promise<Verdict> {
  const { noted = null, batch = 500 } = options
  const chain = createAuditChainRepo(db)
  let last: ChainHead = { seq: 0, hash: beginning }
  const redacted = new Set<number>()

  for (let start = true; ; start = false) {
    const links = await chain.list(start ? null : last.seq, batch)
    for (const link of links) {
      const fault = faultOf(link, last, noted)
      if (fault) return { sound: false, rows: last.seq, ...fault }
      last = { seq: link.seq, hash: link.hash }
      const restored = await findRestored(chain, link)
      if (restored) return { sound: false, rows: last.seq, ...restored }
      for (const seq of link.redacts) redacted.add(seq)
    }
    if (links.length > 0) continue

    const head = await chain.head()
    if (head && head.seq > last.seq && (await chain.list(last.seq, 1)).length > 0) continue
    const fault = faultOfEnd(last, head, noted)
    if (fault) return { sound: false, rows: last.seq, ...fault }
    return { sound: true, rows: last.seq, redacted: redacted.size, head: last }
  }
}

type Fault = { seq: number; why: string }

function faultOf(link: ChainLink, last: ChainHead, noted: ChainHead | null): Fault | null {
  const expected = last.seq + 1
  if (link.seq !== expected) {
    return link.seq < 1
      ? { seq: link.seq, why: 'Its sequence number was never assigned.' }
      : { seq: expected, why: `It is missing: after row ${last.seq} comes row ${link.seq}.` }
  }
  if (link.computed !== link.expected || !link.timely) {
    return { seq: link.seq, why: 'It was modified: its hash does not match its content.' }
  }
  if (link.previous_hash !== last.hash) {
    return { seq: link.seq, why: `It does not link to row ${last.seq}: one of the two was rewritten.` }
  }
  if (noted?.seq === link.seq && noted.hash !== link.hash) {
    return { seq: link.seq, why: 'Its hash differs from the recorded one: the log was rewritten.' }
  }
  return null
}

/** A row that a redaction records and that is not as redacted: its words were put back, or it was never a row. */
async function findRestored(chain: AuditChain, { redacts, seq: by }: ChainLink): Promise<Fault | null> {
  if (redacts.length === 0) return null
  const links = new Map((await chain.listOf(redacts)).map((link) => [link.seq, link]))
  const seq = redacts.find((each) => {
    const link = links.get(each)
    return !link || link.computed === link.hash || link.computed !== link.expected
  })
  return seq === undefined
    ? null
    : { seq, why: `It is not as row ${by} records it after words were removed.` }
}

function faultOfEnd(last: ChainHead, head: ChainHead | null, noted: ChainHead | null): Fault | null {
  const next = last.seq + 1
  if (!head) return { seq: last.seq, why: 'The head of the log is missing.' }
  if (head.seq > last.seq) return { seq: next, why: `It is missing: the log continues to row ${head.seq}.` }
  if (head.seq < last.seq)
    return { seq: head.seq + 1, why: `It was appended after the head, row ${head.seq}.` }
  if (head.hash !== last.hash) return { seq: last.seq, why: 'The head of the log was modified.' }
  if (noted && noted.seq > last.seq) {
    return { seq: next, why: `It is missing: the recorded head was row ${noted.seq}.` }
  }
  return null
}
