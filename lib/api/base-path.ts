// Serves Void below the path of `PUBLIC_URL`, whether or not the proxy in front removes it.

import type { Request, RequestHandler, Response } from 'express'
import { addBase, removeBase } from '../core/text/links/base-path.ts'

/** The base path that the application was made with. */
export const baseOf = ({ app }: Pick<Request | Response, 'app'>): string => app.locals.basePath ?? ''

/** An address of Void for whoever asks. */
export const outward = (to: Pick<Request | Response, 'app'>, address: string): string =>
  addBase(baseOf(to), address)

/** Removes the base path from requests, and adds it to redirections and to the paths of cookies. */
export function belowBase(base: string): RequestHandler {
  return (req, res, next) => {
    if (base === '') return next()
    req.url = inward(base, req.url)
    req.originalUrl = req.url
    const { writeHead } = res
    res.writeHead = (...args: unknown[]) => {
      addBaseToHeaders(base, res)
      return Reflect.apply(writeHead, res, args)
    }
    next()
  }
}

/** Documents of a server below a path are asked for in front of it (RFC 8414, 3.1; RFC 9728, 3.1). */
const wellKnown = /^\/\.well-known\/[\w-]+/

function inward(base: string, url: string): string {
  const document = wellKnown.exec(url)?.[0]
  if (document === undefined) return removeBase(base, url) ?? url
  const rest = removeBase(base, url.slice(document.length))
  return rest === null ? url : document + rest.replace(/^\/(?=$|\?)/, '')
}

function addBaseToHeaders(base: string, res: Response): void {
  const location = res.getHeader('location')
  if (typeof location === 'string') res.setHeader('location', addBaseOnce(base, location))
  const cookies = res.getHeader('set-cookie')
  if (cookies === undefined) return
  const below = [cookies]
    .flat()
    .map((cookie) =>
      String(cookie).replace(/(; *path=)([^;]*)/i, (_, name, path) => name + addBaseOnce(base, path)),
    )
  res.setHeader('set-cookie', below)
}

/** The authorization server makes some addresses from the public one. */
const addBaseOnce = (base: string, address: string): string =>
  removeBase(base, address) === null ? addBase(base, address) : address

const tag = /<[a-z][^<>]*>/g
const address = /( (?:href|src|action|data-base)=")\/(?!\/)/g

/** A page with the base path in its addresses. In safe HTML a text or a value has no `<`, and a value no `"`. */
export function pageBelow(base: string, page: string): string {
  if (base === '') return page
  return page.replace(tag, (element) => element.replace(address, `$1${base}/`))
}
