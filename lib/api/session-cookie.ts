import { parseCookie, stringifySetCookie } from 'cookie'
import type { Request, Response } from 'express'

/** Over HTTPS a browser takes the prefixed one only from this very host, for all of its paths. */
const nameFor = (req: Request) => (req.secure ? '__Host-void_session' : 'void_session')

/** The session cookie of a request. */
export function readSession(req: Request): string | undefined {
  return parseCookie(req.headers.cookie ?? '')[nameFor(req)]
}

/** Sets the cookie; a `maxAgeMs` of 0 removes it. Never readable by scripts, never sent across sites. */
export function writeSession(req: Request, res: Response, session: string, maxAgeMs: number): void {
  const cookie = stringifySetCookie({
    name: nameFor(req),
    value: session,
    httpOnly: true,
    sameSite: 'strict',
    secure: req.secure,
    path: '/',
    maxAge: Math.floor(maxAgeMs / 1000),
  })
  res.append('set-cookie', cookie)
}
