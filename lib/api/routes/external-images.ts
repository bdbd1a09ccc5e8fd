import { z } from 'zod'
import { route } from '../route.ts'

export const externalImageRoutes = [
  route({
    method: 'get',
    path: '/api/external-image',
    access: 'owner',
    summary: 'An image from elsewhere, fetched by the server',
    limit: { requests: 300, windowMs: 60_000 },
    query: z.object({ url: z.url({ protocol: /^https$/ }).max(4000) }),
    answers: { 200: 'The bytes of the image' },
    async handle({ server }, { res, query: { url } }) {
      const { type, bytes } = await server.loadExternalImage(url)
      res.setHeader('content-type', type)
      res.setHeader('content-security-policy', "default-src 'none'; sandbox")
      res.setHeader('cache-control', 'private, max-age=86400')
      res.end(bytes)
      return undefined
    },
  }),
]
