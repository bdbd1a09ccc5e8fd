// What is wrong with one answer, whatever the request was.

import type { Route } from '../../../lib/api/route.ts'
import { bodyProblems, isStreamed, streamCheck } from '../../helpers/answer-problems.ts'
import { walledWords } from './fuzz-world.ts'
import type { FuzzRequest } from './make-request.ts'
import type { FuzzAnswer } from './send.ts'

export type Finding = { sort: 'error' | 'mismatch' | 'leak' | 'unanswered'; what: string }

/**
 * The failures that no bug causes: too much to do, no room, or another host that does not answer as it should, which the
 * answer to a HEAD cannot say, nor one that was cut behind its head.
 */
const isExpected = ({ method, raw }: FuzzRequest, status: number, body: Buffer) =>
  status === 503 ||
  status === 507 ||
  (status === 502 &&
    (method === 'HEAD' || (raw !== null && body.length === 0) || body.includes('"code":"source_failed"')))

export function createJudge(
  routes: readonly Route[],
): (request: FuzzRequest, answer: FuzzAnswer) => Finding[] {
  const patterns = routes.map((route) => ({ route, pattern: patternOf(route.path) }))

  return (request, answer) => {
    const { status, body } = answer
    const found: Finding[] = []
    if (status >= 500 && !isExpected(request, status, body))
      found.push({ sort: 'error', what: `${status} ${body}`.slice(0, 300) })
    // What the request itself says is no secret of the Space.
    const isEcho = request.target.includes(walledWords) || request.body?.includes(walledWords)
    if (request.caller !== 'owner' && !isEcho && body.includes(walledWords)) {
      found.push({ sort: 'leak', what: `shows ${request.caller} a text of a Space it may not enter` })
    }
    const path = request.target.split('?')[0]!
    const route = patterns.find(
      ({ route: { method }, pattern }) => method === request.method.toLowerCase() && pattern.test(path),
    )?.route
    return [...found, ...problems(route, request, answer).map(toMismatch)]
  }
}

const toMismatch = (what: string): Finding => ({ sort: 'mismatch', what })

function problems(
  route: Route | undefined,
  { method, raw }: FuzzRequest,
  { status, type, body, isWhole, requestId }: FuzzAnswer,
): string[] {
  // Without the id of a request it was Node that answered, to a message that it could not read.
  if (raw || method === 'HEAD' || requestId === '') return []
  if (isStreamed(type)) return streamCheck(route, type)(upToLastEnd(body))
  if (!isWhole) return []
  if (status >= 400 && route && type !== 'application/json') return [`an error of the type ${type}`]
  return bodyProblems(route, { status, type, body })
}

/** A stream that was left in the middle of a line. */
const upToLastEnd = (body: Buffer): Buffer => body.subarray(0, body.lastIndexOf('\n') + 1)

function patternOf(path: string): RegExp {
  const parts = path
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
  return new RegExp(`^${parts.join('/')}/?$`, 'i')
}
