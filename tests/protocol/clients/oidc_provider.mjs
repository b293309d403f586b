// The certified OpenID Connect provider `oidc-provider` on a free port of this machine, where anybody logs in under any name
// with any password. Prints its issuer; each line of its input is an address that browsers may be sent back to, or `tell` and
// the address where it tells of sessions that have ended; ends with its input.
// Usage: node oidc_provider.mjs FOLDER CLIENT_ID CLIENT_SECRET ALGORITHM
import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

const [folder, clientId, clientSecret, algorithm] = process.argv.slice(2)
const { Provider } = await import(pathToFileURL(join(folder, 'node_modules/oidc-provider/lib/index.js')))

const rsa = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
const server = createServer()
await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve) })
const issuer = `http://127.0.0.1:${server.address().port}`

const { privateKey } = { RS256: rsa, PS256: rsa, EdDSA: () => generateKeyPairSync('ed25519') }[algorithm]()

/** Addresses of the client, which is started after it. */
const allowed = new Set()
const nowhere = `${issuer}/nowhere`
let told = nowhere

const provider = new Provider(issuer, {
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: algorithm, use: 'sig' }] },
  enabledJWAs: { idTokenSigningAlgValues: [algorithm] },
  clients: [{
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uris: [nowhere],
    backchannel_logout_uri: nowhere,
    backchannel_logout_session_required: true,
    grant_types: ['authorization_code'],
    response_types: ['code'],
    id_token_signed_response_alg: algorithm,
  }],
  claims: { openid: ['sub'], profile: ['name', 'preferred_username', 'groups'], email: ['email', 'email_verified'] },
  cookies: { keys: ['of the tests'] },
  pkce: { required: () => true },
  features: { backchannelLogout: { enabled: true } },
  // It guards itself against addresses of its own machine, where the client of the tests is.
  fetch: (url, options) => String(url) === nowhere ? fetch(told, { ...options, dispatcher: undefined }) : fetch(url, options),
  // Whoever is called a teacher is one.
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({
      sub: id, name: `${id} of the school`, preferred_username: id, email: `${id}@school.example`, email_verified: true,
      groups: id.startsWith('teacher') ? ['go-operators'] : [],
    }),
  }),
})
provider.Client.prototype.redirectUriAllowed = (address) => allowed.has(address)
provider.Client.prototype.postLogoutRedirectUriAllowed = (address) => allowed.has(address)
server.on('request', provider.callback())

const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => {
  if (line.startsWith('tell ')) told = line.slice(5)
  else allowed.add(line)
})
lines.on('close', () => { process.exit() })
console.log(issuer)
