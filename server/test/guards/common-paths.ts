const nouns =
  'account accounts action activity admin administrator album analytics announcement answer api apikey app article asset attachment audit auth backend backup badge ban banner batch billing block blog board booking bot broadcast bucket bug build bulk cache calendar call campaign card cart case category channel chart chat check checkout client cloud code comment company config connect console consent contact content contract cookie country coupon credential cron currency customer dashboard data database debug delete demo deploy detail device diagnostics directory discover discovery document domain download draft dump email environment error event export extension facebook favorite feature feed feedback field file filter firebase flag follow form forum friend gallery gateway gift google graph graphql group guest health help hidden history home hook host icon image import inbox index info install integration internal invite invoice item jobs key kyc label language launch lead ledger license like link list live local location lock log login logout mail manage map match media member menu message metadata metrics mfa migration mobile mock model module monitor move network news note notification oauth object offer office order organization otp outbox owner package page partner password patch payment payout permission phone photo picture ping plan player plugin policy poll portal post preference premium preview price print privacy private product profile promo proxy public purchase push query queue quota rate raw reaction receipt record recover redirect refresh refund region register relay release reload reminder report request reset resource restart restore result review role root route rule run sandbox scan schedule schema script search secret security seed segment send server service session setting setup share shell shop signin signup site sms socket source spam staff staging state static statistics status stats storage store stream stripe subscribe subscription super support swagger switch sync system table tag task team template tenant test theme thread ticket timeline token tool tos totp trace track transaction transfer trash trial trigger twilio undo unlock update upgrade upload usage user users validate vault verify version video view vip visit vote wallet webhook webhooks widget wipe worker workspace';

const secretFiles = [
  '.env',
  '.env.local',
  '.git/config',
  '.git/HEAD',
  '.npmrc',
  '.DS_Store',
  '.vscode/settings.json',
  '.htpasswd',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'server/src/main.ts',
  'server/src/platform/config/config.ts',
  'node_modules/fastify/package.json',
  '.data/postgres/postmaster.pid',
  'wp-login.php',
  'wp-admin/setup-config.php',
  'phpinfo.php',
  'server-status',
  'actuator/env',
  'actuator/heapdump',
  'debug/pprof',
  'console',
  'graphql',
  'swagger.json',
  'swagger-ui.html',
  'openapi.yaml',
  'dump.sql',
  'backup.zip',
  'id_rsa',
  '.well-known/security.txt',
  'crossdomain.xml',
];

const places = ['/api/v1', '/api/v1/auth', '/api/v1/admin', '/api/v2', '/api', '/admin', '/dev', '/internal', ''];
const climbs = ['/../', '/..%2f', '/%2e%2e/', '/..%5c', '/assets/../../', '/assets/..%2f..%2f', '/assets/....//'];

/** More than 3,000 paths that scanners try: common names at every depth, forgotten files, path traversal. */
export function commonPaths(): string[] {
  const words = [...new Set(nouns.split(' '))];
  const named = places.flatMap((place) => words.map((word) => `${place}/${word}`));
  const files = ['/', '/api/', '/api/v1/'].flatMap((place) => secretFiles.map((file) => place + file));
  const climbing = climbs.flatMap((climb) =>
    ['package.json', 'etc/passwd', 'server/src/main.ts'].map((file) => climb + file),
  );
  const variants = ['profile', 'users', 'login', 'statistics'].flatMap((word) =>
    ['.json', '.xml', '.bak', '.old', '~', '.php', '/', '//', ';x', '%00', '%20', '.;/', '?debug=1', '#'].flatMap(
      (end) => [`/api/v1/auth/${word}${end}`, `/api/v1/admin/${word}${end}`],
    ),
  );
  return [...new Set([...named, ...files, ...climbing, ...variants])];
}
