import { createHmac, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const appId = '4711';
const appSecret = 'the-secret-of-the-double';

interface Given {
  userId: string;
  /** The user that `/me` returns; differs from `userId` only in a forged answer. */
  me: { id: string; name?: string; first_name?: string; last_name?: string; email?: string };
  appId: string;
  type: string;
  isValid: boolean;
  expiresAt: number;
}

/** A local double of the part of Facebook's Graph API that the product uses. */
export interface FacebookDouble {
  environment: Record<string, string>;
  /** A user's token; unspecified parts are valid. */
  token(given: Partial<Given> & { userId: string }): string;
  /** Answers the next requests with this, whatever they request. */
  answerWith(answer: { status: number; body: string; times: number }): void;
  /** Stops the double; rejects if it received a request that it doesn't support. */
  close(): Promise<void>;
}

const invalidToken = { error: { message: 'Invalid OAuth access token', type: 'OAuthException', code: 190 } };

/** Starts the double on a free port. */
export async function startFacebook(): Promise<FacebookDouble> {
  const tokens = new Map<string, Given>();
  const unforeseen: string[] = [];
  let forged = { status: 200, body: '', times: 0 };

  function answerTo(url: URL): object {
    const query = url.searchParams;
    if (url.pathname === '/v25.0/debug_token') {
      if (query.get('access_token') !== `${appId}|${appSecret}`) return invalidToken;
      const given = tokens.get(query.get('input_token') ?? '');
      if (given === undefined) return { data: { is_valid: false, error: invalidToken.error } };
      const { isValid, userId, type, expiresAt } = given;
      const facts = { app_id: given.appId, application: 'Some app', user_id: userId, scopes: ['email'], type };
      return { data: { ...facts, is_valid: isValid, expires_at: expiresAt } };
    }
    if (url.pathname === '/v25.0/me') {
      const token = query.get('access_token') ?? '';
      const proof = createHmac('sha256', appSecret).update(token).digest('hex');
      const given = tokens.get(token);
      if (given === undefined || query.get('appsecret_proof') !== proof) return invalidToken;
      const wanted = (query.get('fields') ?? '').split(',');
      return Object.fromEntries(Object.entries(given.me).filter(([name]) => wanted.includes(name)));
    }
    unforeseen.push(url.pathname);
    return { error: { message: 'Unknown path', code: 2500 } };
  }

  const server = createServer((request, response) => {
    const isForged = forged.times > 0;
    if (isForged) forged.times -= 1;
    const result = answerTo(new URL(request.url ?? '/', 'http://graph.test'));
    const status = isForged ? forged.status : 'error' in result ? 400 : 200;
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(isForged ? forged.body : JSON.stringify(result));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;

  return {
    environment: {
      FACEBOOK_APP_ID: appId,
      FACEBOOK_APP_SECRET: appSecret,
      FACEBOOK_GRAPH_URL: `http://127.0.0.1:${port}/v25.0`,
    },
    token(given) {
      const token = `EAA${randomBytes(30).toString('hex')}`;
      const me = { id: given.userId, name: 'Finja Freund', first_name: 'Finja', last_name: 'Freund' };
      tokens.set(token, { appId, type: 'USER', isValid: true, expiresAt: 0, me, ...given });
      return token;
    },
    answerWith(answer) {
      forged = answer;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      if (unforeseen.length > 0) throw new Error(`the double does not support ${unforeseen.join(', ')}`);
    },
  };
}
