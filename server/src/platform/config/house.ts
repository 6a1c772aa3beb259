import { type StaffRole, staffRoles } from '#contract/staff-roles.ts';
import { address, ConfigError, mailbox, read, secretValue, type Environment } from './values.ts';

const secretMinLength = 8;
const nameMaxLength = 60;
const others = [
  'STAFF_OIDC_CLIENT_ID',
  'STAFF_OIDC_CLIENT_SECRET',
  'STAFF_OIDC_ROLES',
  'STAFF_OIDC_GROUPS_CLAIM',
  'STAFF_OIDC_SCOPE',
  'STAFF_OIDC_NAME',
  'STAFF_PASSWORD_OWNER',
];

/** The OpenID provider that staff sign in with; null if staff have only passwords. */
export function readHouse(env: Environment, production: boolean) {
  const given = address(env, 'STAFF_OIDC_ISSUER', production ? ['https:'] : ['https:', 'http:']);
  // Normalized, because people are identified by it.
  const issuer = given === null ? null : new URL(given).href;
  const clientSecret = secretValue(env, 'STAFF_OIDC_CLIENT_SECRET', secretMinLength);
  if (issuer === null) {
    const lonely = others.find((name) => read(env, name) !== undefined);
    if (lonely !== undefined) throw new ConfigError(`${lonely} is set, but STAFF_OIDC_ISSUER is not.`);
    return null;
  }
  const needed = (name: string, value: string | null | undefined): string => {
    if (value === undefined || value === null)
      throw new ConfigError(`STAFF_OIDC_ISSUER is set, but ${name}, which it needs, is not.`);
    return value;
  };
  const scope = read(env, 'STAFF_OIDC_SCOPE') ?? 'openid email profile';
  if (!scope.split(/\s+/).includes('openid')) throw new ConfigError('STAFF_OIDC_SCOPE must contain the word openid.');
  const name = read(env, 'STAFF_OIDC_NAME') ?? new URL(issuer).hostname;
  if (name.length > nameMaxLength || /\p{Cc}/u.test(name))
    throw new ConfigError(`STAFF_OIDC_NAME must be one line of at most ${nameMaxLength} characters.`);
  return {
    issuer,
    clientId: needed('STAFF_OIDC_CLIENT_ID', read(env, 'STAFF_OIDC_CLIENT_ID')),
    clientSecret: needed('STAFF_OIDC_CLIENT_SECRET', clientSecret),
    /** Its name on the button. */
    name,
    scope,
    /** The claim with a person's groups. */
    groupsClaim: read(env, 'STAFF_OIDC_GROUPS_CLAIM') ?? 'groups',
    /** Determines a person's role: the first group that they are in counts. */
    roles: rolesIn(needed('STAFF_OIDC_ROLES', read(env, 'STAFF_OIDC_ROLES'))),
    /** The only account that may sign in as staff with a password or passkey; null if all may. */
    passwordOwner: mailbox(env, 'STAFF_PASSWORD_OWNER')?.address.toLowerCase() ?? null,
  };
}

export type HouseConfig = NonNullable<ReturnType<typeof readHouse>>;

/** Reads `group=role, group=role`; a group may contain an equals sign. */
function rolesIn(text: string): { group: string; role: StaffRole }[] {
  return text.split(',').map((pair) => {
    const at = pair.lastIndexOf('=');
    const [group, word] = [pair.slice(0, Math.max(0, at)).trim(), pair.slice(at + 1).trim()];
    const role = staffRoles.find((one) => one === word);
    if (group === '' || role === undefined)
      throw new ConfigError(
        `STAFF_OIDC_ROLES must be pairs such as "helpdesk=support" with commas between them; the roles are ${staffRoles.join(', ')}.`,
      );
    return { group, role };
  });
}
