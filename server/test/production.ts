/** The minimal configuration of a production process; no installation uses this secret. */
export const production = {
  NODE_ENV: 'production',
  JWT_SECRET: '7d1f0c52b8a94e3660f2c1d7e9a5384bb60e2f7719c3d84a5efa0b6d92c7413e',
  PUBLIC_URL: 'https://dating.example',
  SUPPORT_EMAIL: 'help@dating.example',
  SMTP_URL: 'smtps://heartwood:k3Vq9wLd@mail.example',
  MAIL_FROM: 'Heartwood <hello@dating.example>',
};
