// The part of oidc-provider that Void uses; the package brings no types. tsconfig.json names this file for it.

import type { IncomingMessage, ServerResponse } from 'node:http'

export type Client = {
  clientId: string
  metadata(): Record<string, unknown>
  grantTypeAllowed(type: string): boolean
}

export type Context = {
  req: IncomingMessage
  type: string
  body: unknown
  response: { headers: Record<string, unknown> }
  remove(header: string): void
  oidc: {
    route: string
    client: Client
    params: Record<string, unknown>
    result?: { consent?: object }
    entities: { Grant?: { exp: number } }
  }
}

export type Interaction = {
  uid: string
  params: Record<string, unknown>
  result?: object
  returnTo: string
}

export type Adapter = {
  upsert(id: string, payload: Record<string, unknown>, expiresIn?: number): Promise<void>
  find(id: string): Promise<Record<string, unknown> | undefined>
  findByUid(uid: string): Promise<undefined>
  findByUserCode(code: string): Promise<undefined>
  consume(id: string): Promise<void>
  destroy(id: string): Promise<void>
  revokeByGrantId(grantId: string): Promise<void>
}

type Grant = { addResourceScope(resource: string, scope: string): void; save(): Promise<string> }

export declare class Provider {
  static readonly ctx: Context | undefined
  constructor(issuer: string, configuration: object)
  proxy: boolean
  use(middleware: (ctx: Context, next: () => Promise<void>) => Promise<void>): this
  callback(): (req: IncomingMessage, res: ServerResponse) => Promise<void>
  on(event: 'error', listener: (error: unknown) => void): this
  on(event: 'server_error', listener: (ctx: Context, error: unknown) => void): this
  interactionDetails(req: IncomingMessage, res: ServerResponse): Promise<Interaction>
  interactionResult(
    req: IncomingMessage,
    res: ServerResponse,
    result: object,
    options: { mergeWithLastSubmission: boolean },
  ): Promise<string>
  Grant: new (fields: {
    accountId: string
    clientId: string
    exp: number
  }) => Grant
  AccessToken: { prototype: { generateTokenId(): string } }
}

export declare const interactionPolicy: {
  Prompt: new (about: { name: string; requestable: boolean }, ...checks: object[]) => object
  Check: new (reason: string, description: string, check: (ctx: Context) => boolean) => object
}

export declare const errors: {
  InvalidGrant: new (detail: string) => Error
  InvalidTarget: new () => Error
  SessionNotFound: new (...args: never[]) => Error
}
