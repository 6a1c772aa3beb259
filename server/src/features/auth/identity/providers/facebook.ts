import { createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import { identityProviderWithinMs } from '#contract/constants.ts';
import { type Fetch, limitedFetch } from '#platform/http/limited-fetch.ts';
import type { FacebookConfig } from '#platform/config/sign-in.ts';
import {
  emailFrom,
  nameFrom,
  ProviderUnavailable,
  RefusedToken,
  type FacebookIdentities,
  type ShownIdentity,
  createTokenReader,
  usedUp,
} from './provider.ts';

const limitedIssuer = 'https://www.facebook.com';
const isJwt = (token: string) => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token);

const inspectionSchema = z.object({
  data: z.object({
    is_valid: z.boolean(),
    app_id: z.optional(z.string()),
    user_id: z.optional(z.string()),
    type: z.optional(z.string()) /** Seconds; 0: never expires. */,
    expires_at: z.optional(z.number()),
  }),
});
const personSchema = z.object({
  id: z.string(),
  name: z.optional(z.unknown()),
  first_name: z.optional(z.unknown()),
  last_name: z.optional(z.unknown()),
  email: z.optional(z.unknown()),
});
const faultSchema = z.object({ error: z.object({ code: z.optional(z.number()) }) });
/** Facebook's codes for expired or invalid tokens. https://developers.facebook.com/docs/graph-api/guides/error-handling */
const deadTokenCodes = [102, 190];

/** Facebook's data about a person. Facebook does not guarantee that the address belongs to them. */
const unproven = (told: {
  subject: string;
  email: unknown;
  firstName: unknown;
  lastName: unknown;
  name: unknown;
}): Omit<ShownIdentity, 'once'> => ({
  provider: 'facebook',
  subject: told.subject,
  email: emailFrom(told.email),
  isEmailProven: false,
  firstName: nameFrom(told.firstName) ?? nameFrom(told.name),
  lastName: nameFrom(told.lastName),
});

/**
 * Asks Facebook who owns an access token and whether it was issued to our app. Limited-login tokens are verified
 * locally.
 */
export function createFacebook(config: FacebookConfig, fetch: Fetch): FacebookIdentities {
  const { appId, appSecret, graphUrl, jwksUrl, dialogUrl } = config;
  const rules = { issuer: limitedIssuer, audience: appId, requiredClaims: ['sub', 'exp', 'iat'] };
  const readToken = createTokenReader(jwksUrl, rules, fetch);

  async function ask(path: string, query: Record<string, string>, signal: AbortSignal): Promise<unknown> {
    const url = `${graphUrl}/${path}?${new URLSearchParams(query).toString()}`;
    try {
      const response = await limitedFetch(fetch)(url, {
        signal,
        redirect: 'error',
        headers: { accept: 'application/json' },
      });
      return await response.json();
    } catch (error) {
      throw new ProviderUnavailable(path, { cause: error });
    }
  }

  function understood<T>(schema: z.ZodMiniType<T>, answer: unknown, path: string): T {
    const read = schema.safeParse(answer);
    if (read.success) return read.data;
    const code = faultSchema.safeParse(answer).data?.error.code;
    // A code that the operator can look up, such as 190 for a wrong app secret.
    const cause = code === undefined ? undefined : Object.assign(new Error('refused'), { code: `GRAPH_${code}` });
    throw new ProviderUnavailable(path, { cause });
  }
  /** The user id of a valid token that a person gave to our app. */
  async function inspected(token: string, now: Date, signal: AbortSignal): Promise<string> {
    const query = { input_token: token, access_token: `${appId}|${appSecret}` };
    const { data } = understood(inspectionSchema, await ask('debug_token', query, signal), 'debug_token');
    const { is_valid, app_id, user_id, type, expires_at = 0 } = data;
    const isOver = expires_at !== 0 && expires_at * 1000 <= now.getTime();
    if (!is_valid || app_id !== appId || user_id === undefined || type !== 'USER' || isOver)
      throw new RefusedToken('inspection');
    return user_id;
  }

  async function readAccessToken(token: string, now: Date): Promise<ShownIdentity> {
    const signal = AbortSignal.timeout(identityProviderWithinMs);
    const subject = await inspected(token, now, signal);
    const proof = createHmac('sha256', appSecret).update(token).digest('hex');
    const fields = 'id,name,first_name,last_name,email';
    const answer = await ask('me', { fields, access_token: token, appsecret_proof: proof }, signal);
    const fault = faultSchema.safeParse(answer);
    if (fault.success && deadTokenCodes.includes(fault.data.error.code ?? 0)) throw new RefusedToken('me');
    const person = understood(personSchema, answer, 'me');
    if (person.id !== subject) throw new RefusedToken('another');
    const { name, email, first_name: firstName, last_name: lastName } = person;
    return { ...unproven({ subject, email, firstName, lastName, name }), once: [] };
  }

  async function readLimited(token: string, now: Date): Promise<ShownIdentity> {
    const claims = await readToken(token, now);
    const { email, name, given_name: firstName, family_name: lastName } = claims as Record<string, unknown>;
    const once = [usedUp(token, claims.exp)];
    return { ...unproven({ subject: claims.sub, email, firstName, lastName, name }), once };
  }

  return {
    forBrowsers: { url: dialogUrl, clientId: appId },
    async read(accessToken, userId, now) {
      const shown = await (isJwt(accessToken) ? readLimited(accessToken, now) : readAccessToken(accessToken, now));
      if (userId !== undefined && userId !== shown.subject) throw new RefusedToken('userID');
      return shown;
    },
  };
}
