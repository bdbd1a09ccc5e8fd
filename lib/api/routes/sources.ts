import { z } from 'zod'
import { oauthUnavailable, siteOf } from '../../auth/oauth/metadata.ts'
import { listOf } from '../../contract/list.ts'
import {
  SeenTools,
  Source,
  SourceSignInStart,
  SourceTest,
  SourceTool,
  ToolPolicy,
} from '../../contract/sources.ts'
import { NewSource, SourceChange } from '../../outside/sources/source-settings.ts'
import { idParams, route, sourceCallbackPath } from '../route.ts'

/** MCP servers whose tools the companion uses. */
export const sourceRoutes = [
  route({
    method: 'get',
    path: '/api/spaces/:space_id/sources',
    access: 'owner',
    summary: 'List the sources of a Space',
    params: idParams('space_id'),
    answers: { 200: listOf(Source) },
    async handle({ sources }, { params: { space_id } }) {
      return { body: { items: await sources.list(space_id), next_cursor: null } }
    },
  }),

  route({
    method: 'post',
    path: '/api/spaces/:space_id/sources',
    access: 'owner',
    summary: 'Add a source: a local program or a URL',
    params: idParams('space_id'),
    body: NewSource,
    answers: { 201: Source },
    async handle({ sources }, { params: { space_id }, body, req }) {
      const source = await sources.create(space_id, body)
      req.log.info({ address: req.ip, source: source.id }, 'source added')
      return { status: 201, body: source }
    },
  }),

  route({
    method: 'get',
    path: '/api/sources/:id',
    access: 'owner',
    summary: 'Get a source',
    params: idParams('id'),
    answers: { 200: Source },
    async handle({ sources }, { params: { id } }) {
      return { body: await sources.find(id) }
    },
  }),

  route({
    method: 'patch',
    path: '/api/sources/:id',
    access: 'owner',
    summary: 'Update, enable or disable a source',
    params: idParams('id'),
    body: SourceChange,
    answers: { 200: Source },
    async handle({ sources }, { params: { id }, body, req }) {
      req.log.info({ address: req.ip, source: id }, 'source changed')
      return { body: await sources.update(id, body) }
    },
  }),

  route({
    method: 'delete',
    path: '/api/sources/:id',
    access: 'owner',
    summary: 'Remove a source',
    params: idParams('id'),
    answers: { 200: Source },
    async handle({ sources }, { params: { id }, req }) {
      req.log.info({ address: req.ip, source: id }, 'source removed')
      return { body: await sources.remove(id) }
    },
  }),

  route({
    method: 'post',
    path: '/api/sources/:id/test',
    access: 'owner',
    summary: 'Test a source: connect and list its tools',
    params: idParams('id'),
    answers: { 200: SourceTest },
    async handle({ sources }, { params: { id } }) {
      return { body: await sources.test(id) }
    },
  }),

  route({
    method: 'post',
    path: '/api/sources/:id/sign-in',
    access: 'owner',
    summary: 'Start an OAuth sign-in to a source; returns the URL to open in this browser',
    params: idParams('id'),
    answers: { 200: SourceSignInStart },
    async handle({ sources, server }, { params: { id }, actor, req }) {
      const site = siteOf(server.publicUrl, req.headers.host)
      if (!site) throw oauthUnavailable(400)
      const url = await sources.startSignIn(id, {
        redirectUri: `${site.issuer}${sourceCallbackPath}`,
        sessionId: actor.kind === 'owner' ? (actor.session_id ?? null) : null,
      })
      req.log.info({ address: req.ip, source: id }, 'sign-in to a source begun')
      return { body: { url } }
    },
  }),

  route({
    method: 'delete',
    path: '/api/sources/:id/sign-in',
    access: 'owner',
    summary: 'Sign out of a source; revokes and deletes its tokens',
    params: idParams('id'),
    answers: { 200: Source },
    async handle({ sources }, { params: { id }, req }) {
      req.log.info({ address: req.ip, source: id }, 'signed out of a source')
      return { body: await sources.signOut(id) }
    },
  }),

  route({
    method: 'get',
    path: '/api/sources/:id/tools',
    access: 'owner',
    summary: 'List the tools of a source as of its last test',
    params: idParams('id'),
    answers: { 200: listOf(SourceTool) },
    async handle({ sources }, { params: { id } }) {
      return { body: { items: await sources.tools(id), next_cursor: null } }
    },
  }),

  route({
    method: 'post',
    path: '/api/sources/:id/tools/use-proposed',
    access: 'owner',
    summary: 'Accept the proposed policies of undecided tools, given the reviewed definitions',
    params: idParams('id'),
    body: SeenTools,
    answers: { 200: listOf(SourceTool) },
    async handle({ sources }, { params: { id }, body: { tools }, req }) {
      req.log.info({ address: req.ip, source: id, tools: tools.length }, 'proposed policies set')
      return { body: { items: await sources.useProposed(id, tools), next_cursor: null } }
    },
  }),

  route({
    method: 'patch',
    path: '/api/sources/:id/tools/:tool',
    access: 'owner',
    summary: 'Set the policy of the current definition of a tool',
    params: idParams('id').extend({ tool: z.string().max(128) }),
    body: z.strictObject({
      policy: ToolPolicy,
      sha256: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .optional()
        .describe('Hash of the reviewed definition; 409 if it has changed'),
    }),
    answers: { 200: SourceTool },
    async handle({ sources }, { params: { id, tool }, body: { policy, sha256 }, req }) {
      req.log.info({ address: req.ip, source: id, tool, policy }, 'policy of a tool set')
      return { body: await sources.setPolicy(id, tool, policy, sha256) }
    },
  }),
]
