export { resolveSecret } from '../auth/secrets/resolve-secret.ts'
