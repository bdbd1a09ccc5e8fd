// The body of a request: its bounds, which stand beside the route, and how it is read.

import express, { type RequestHandler } from 'express'
import { AppError } from '../core/errors.ts'
import { exceededBound, type JsonBounds } from '../core/text/bounds.ts'
import type { Route } from './route.ts'

/** Maximum depth of arrays and objects in a body. */
export const maxBodyDepth = 64

export const bodyBounds = ({ access, bodyLimit, bodyValues = 5000 }: Route) => ({
  limit: bodyLimit ?? (access === 'public' ? '4kb' : '256kb'),
  values: bodyValues,
})

/** Parses a body once its structure was counted: a schema takes time for each value, whatever it says of them. */
export function readJson(route: Route): RequestHandler {
  const { limit, values } = bodyBounds(route)
  return express.json({
    limit,
    verify(_req, _res, bytes, charset) {
      if (charset !== 'utf-8')
        throw new AppError('unsupported_media_type', 415, 'Send the body as JSON in UTF-8.')
      const exceeded = exceededBound(bytes, { values, depth: maxBodyDepth })
      if (exceeded) throw tooComplex(exceeded, values)
    },
  })
}

const tooComplex = (exceeded: keyof JsonBounds, values: number) =>
  new AppError(
    'too_large',
    413,
    exceeded === 'values'
      ? `The body holds more than ${values.toLocaleString('en')} values.`
      : `The body is nested deeper than ${maxBodyDepth} levels.`,
  )
