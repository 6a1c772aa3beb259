import { createTransport } from 'nodemailer';

/** Sends emails by SMTP. */
export interface MailTransport {
  /** Rejects with nodemailer's errors, also when the server doesn't answer in time. */
  send(mail: Record<string, unknown>): Promise<unknown>;
  /** Ends the connections, which stay open between emails. */
  close(): void;
}

/** How long the server may be silent. An email may take three times as long in all, from a server that answers a little at a time. */
const silenceMs = 10_000;

/** The transport for a mail server; connects when the first email is sent. */
export function createMailTransport(url: string, patienceMs = silenceMs): MailTransport {
  const transport = createTransport({
    url,
    pool: true,
    dnsTimeout: patienceMs,
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
  });
  return {
    send: (mail) => transport.sendMail({ ...mail, signal: AbortSignal.timeout(3 * patienceMs) }),
    close: () => transport.close(),
  };
}

/** Whether no retry will fix an error: there is no such mailbox, or the server rejects the email. */
export const isFinal = (error: unknown): boolean => {
  const { code, responseCode = 0 } = error as { code?: string; responseCode?: number };
  return responseCode >= 500 && responseCode < 600 && (code === 'EENVELOPE' || code === 'EMESSAGE');
};
