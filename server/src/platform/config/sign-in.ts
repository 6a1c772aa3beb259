import {
  address,
  baseAddress,
  ConfigError,
  oneOf,
  read,
  refusedInProduction,
  secretValue,
  type Environment,
} from './values.ts';

const googleDefaults = {
  issuers: ['https://accounts.google.com', 'accounts.google.com'],
  jwksUrl: 'https://www.googleapis.com/oauth2/v3/certs',
  authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  tokenUrl: 'https://oauth2.googleapis.com/token',
};
const facebookDefaults = {
  graphUrl: 'https://graph.facebook.com/v25.0',
  jwksUrl: 'https://limited.facebook.com/.well-known/oauth/openid/jwks/',
};
const secretMinLength = 8;

/** Google and Facebook if configured; on a single machine, the built-in issuer replaces the others. */
export function readSignIn(env: Environment, { production, forMembers }: { production: boolean; forMembers: boolean }) {
  const fallback = forMembers ? 'off' : 'built-in';
  const others = oneOf(env, 'SIGN_IN_ISSUER', ['built-in', 'off'], fallback);
  if (others === 'built-in' && production)
    throw refusedInProduction('SIGN_IN_ISSUER=built-in', 'anyone could sign in as anyone');
  const protocols = production ? ['https:'] : ['https:', 'http:'];
  return {
    google: readGoogle(env, protocols),
    facebook: readFacebook(env, protocols),
    /** Whether `/dev/idp` exists and replaces the providers that are null. */
    builtIn: others === 'built-in',
  };
}

export type SignInConfig = ReturnType<typeof readSignIn>;
export type GoogleConfig = NonNullable<SignInConfig['google']>;
export type FacebookConfig = NonNullable<SignInConfig['facebook']>;

/** The first of these variables that is set. */
const named = (env: Environment, names: readonly string[]) => names.find((name) => read(env, name) !== undefined);

function readGoogle(env: Environment, protocols: string[]) {
  const clientIds = (read(env, 'GOOGLE_CLIENT_IDS') ?? '').split(',').map((id) => id.trim());
  const known = clientIds.filter((id) => id !== '');
  const issuer = address(env, 'GOOGLE_ISSUER', protocols);
  const jwksUrl = address(env, 'GOOGLE_JWKS_URL', protocols);
  const authorizeUrl = address(env, 'GOOGLE_AUTHORIZE_URL', protocols);
  const tokenUrl = address(env, 'GOOGLE_TOKEN_URL', protocols);
  const clientSecret = secretValue(env, 'GOOGLE_CLIENT_SECRET', secretMinLength);
  if (known.length === 0) {
    const lonely = named(env, [
      'GOOGLE_ISSUER',
      'GOOGLE_JWKS_URL',
      'GOOGLE_AUTHORIZE_URL',
      'GOOGLE_CLIENT_SECRET',
      'GOOGLE_TOKEN_URL',
    ]);
    if (lonely !== undefined) throw new ConfigError(`${lonely} is set, but GOOGLE_CLIENT_IDS is not.`);
    return null;
  }
  // Tokens of an issuer that are verified with another issuer's keys would never be accepted.
  if (issuer !== null && jwksUrl === null) throw new ConfigError('GOOGLE_ISSUER is set, but GOOGLE_JWKS_URL is not.');
  if (issuer === null && jwksUrl !== null) throw new ConfigError('GOOGLE_JWKS_URL is set, but GOOGLE_ISSUER is not.');
  return {
    /** The web client's id first, then those of our mobile apps. */
    clientIds: known,
    /** All issuer names that Google uses. */
    issuers: issuer === null ? googleDefaults.issuers : [issuer],
    jwksUrl: jwksUrl ?? googleDefaults.jwksUrl,
    /** Where browsers are sent; a URL, or a path of this server. */
    authorizeUrl: authorizeUrl ?? googleDefaults.authorizeUrl,
    /** If set, codes are exchanged at `tokenUrl` and browsers never see an ID token. */
    clientSecret,
    tokenUrl: tokenUrl ?? googleDefaults.tokenUrl,
  };
}

function readFacebook(env: Environment, protocols: string[]) {
  const appId = read(env, 'FACEBOOK_APP_ID');
  const appSecret = secretValue(env, 'FACEBOOK_APP_SECRET', secretMinLength);
  const graphUrl = baseAddress(env, 'FACEBOOK_GRAPH_URL', protocols) ?? facebookDefaults.graphUrl;
  const jwksUrl = address(env, 'FACEBOOK_JWKS_URL', protocols) ?? facebookDefaults.jwksUrl;
  const one = named(env, ['FACEBOOK_APP_ID', 'FACEBOOK_APP_SECRET', 'FACEBOOK_GRAPH_URL', 'FACEBOOK_JWKS_URL']);
  if (one === undefined) return null;
  if (appId === undefined) throw new ConfigError(`${one} is set, but FACEBOOK_APP_ID is not.`);
  if (appSecret === null) throw new ConfigError('FACEBOOK_APP_ID is set, but FACEBOOK_APP_SECRET is not.');
  const version = /\/(v\d+\.\d+)$/.exec(graphUrl)?.[1];
  const dialog = ['https://www.facebook.com', version, 'dialog/oauth'].filter((part) => part !== undefined);
  // `graphUrl` includes the API version. `jwksUrl` has the keys of Facebook's limited login.
  return { appId, appSecret, graphUrl, jwksUrl, dialogUrl: dialog.join('/') };
}
