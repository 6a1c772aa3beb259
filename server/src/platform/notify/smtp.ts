import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { createTransport } from 'nodemailer';
import type { MailProblem } from '#contract/operations.ts';

/** Sends emails by SMTP. */
export interface MailTransport {
  /** Rejects with nodemailer's errors, including when the server doesn't answer in time. */
  send(mail: Record<string, unknown>): Promise<unknown>;
  /** Connects and signs in without sending anything; rejects like `send`. */
  signIn(): Promise<unknown>;
  /** Closes the connections, which stay open between emails. */
  close(): void;
}

/**
 * How long the server may be silent. An email may take three times as long in total if the server answers a little at a
 * time.
 */
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
    signIn: () => Promise.race([transport.verify(), givenUpAfter(3 * patienceMs)]),
    close: () => transport.close(),
  };
}

/** Rejects after a time, without keeping the process running. */
async function givenUpAfter(ms: number): Promise<never> {
  await pause(ms, undefined, { ref: false });
  throw Object.assign(new Error('the mail server took too long'), { code: 'ETIMEDOUT' });
}

interface SmtpError {
  code?: string;
  /** The command that was refused. */
  command?: string;
  responseCode?: number;
  response?: string;
}

/** Replies that request or refuse credentials, whatever command they answer (RFC 4954). */
const signInReplies = [530, 534, 535, 538];
const unreachableCodes = ['ECONNECTION', 'ETIMEDOUT', 'ESOCKET', 'EDNS', 'ETLS', 'EPROXY', 'EPROTOCOL', 'ABORT_ERR'];
/**
 * Enhanced status codes (RFC 3463) for a refused sender or a policy. Many servers send them only in reply to the
 * recipient's command.
 */
const aboutSender = /\b5\.(7\.\d+|1\.[78])\b/;

/** Why an email could not be sent. */
export function problemOf(error: unknown): MailProblem {
  const { code = '', command, responseCode = 0, response = '' } = error as SmtpError;
  if (code === 'EAUTH' || signInReplies.includes(responseCode)) return 'signIn';
  if (responseCode >= 400 && responseCode < 500) return 'later';
  if (unreachableCodes.includes(code)) return 'unreachable';
  if (responseCode < 500) return 'other';
  if (command === 'MAIL FROM') return 'sender';
  if (command === 'RCPT TO') return aboutSender.test(response) ? 'sender' : 'recipient';
  return 'content';
}

/**
 * Whether retries can't fix an error, because the mailbox doesn't exist. Every other error may be caused by our
 * settings or reputation, such as an unverified sender, which some servers refuse only with the whole email; the
 * operator can fix that while the email waits.
 */
export const isFinal = (problem: MailProblem): boolean => problem === 'recipient';

const warnings: Partial<Record<MailProblem, string>> = {
  signIn: 'the mail server refuses our sign-in, so emails wait: check user and password in SMTP_URL',
  unreachable: 'the mail server cannot be reached, so emails wait: check host and port in SMTP_URL',
};

/** Signs in to the mail server once, and logs a warning if that fails. Never rejects. */
export async function warnOfMailServer(transport: MailTransport, log: FastifyBaseLogger): Promise<void> {
  try {
    await transport.signIn();
  } catch (error) {
    const problem = problemOf(error);
    // A server's answer may contain the sign-in address, so it is not logged.
    log.warn(
      { problem, code: (error as SmtpError).code },
      warnings[problem] ?? 'the mail server did not accept a connection, so emails wait',
    );
  }
}
