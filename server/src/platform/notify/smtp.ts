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

/** `mailbox`: this mailbox doesn't take the email for now, for example because it is full. */
export type SendProblem = MailProblem | 'mailbox';

/** Replies that request or refuse credentials, whatever command they answer (RFC 4954). */
const signInReplies = [530, 534, 535, 538];
const unreachableCodes = ['ECONNECTION', 'ETIMEDOUT', 'ESOCKET', 'EDNS', 'ETLS', 'EPROXY', 'EPROTOCOL', 'ABORT_ERR'];
/** The enhanced status code (RFC 3463) of a reply. */
const statusOf = (response: string) => /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1] ?? '';
const codes = {
  /** The mailbox or its domain doesn't exist, can't exist, or was moved. */
  noMailbox: /^5\.1\.([1236]|10)$/,
  mailbox: /^[45]\.(1\.(?![78]$)\d+|2\.\d+)$/,
  /** A refused sender or a policy. Many servers send them only in reply to the recipient's command. */
  sender: /^5\.(7\.\d+|1\.[78])$/,
};
const words = {
  /** Says, without a code, that there is no such mailbox. */
  noMailbox:
    /\b(no such|unknown|invalid|non-?existent) (user|mailbox|recipient|address|account|person)|\b(user|mailbox|recipient|address|account)\b.{0,40}\b(unknown|not found|not exist|doesn.t (exist|have)|no longer exists)|\bunrouteable address/i,
  mailbox: /mailbox|over ?quota|quota exceeded|storage|gr[ae]ylist/i,
  sender: /\bsender (address )?(rejected|denied|refused|verif)|\brelay(ing)?\b/i,
};

/** Why an email could not be sent. */
export function problemOf(error: unknown): SendProblem {
  const { code = '', command, responseCode = 0, response = '' } = error as SmtpError;
  const isLater = responseCode >= 400 && responseCode < 500;
  if (signInReplies.includes(responseCode) || (code === 'EAUTH' && !isLater)) return 'signIn';
  if (responseCode < 400) return unreachableCodes.includes(code) ? 'unreachable' : 'other';
  if (command === 'MAIL FROM') return isLater ? 'later' : 'sender';
  const status = statusOf(response);
  const isToMailbox = command === 'RCPT TO';
  const isAboutSender = codes.sender.test(status) || (isToMailbox && words.sender.test(response));
  const hasNoMailbox = codes.noMailbox.test(status) || (status === '' && isToMailbox && words.noMailbox.test(response));
  if (!isLater && !isAboutSender && hasNoMailbox) return 'recipient';
  if (!isToMailbox) return isLater ? 'later' : 'content';
  if (!isLater && isAboutSender) return 'sender';
  if (codes.mailbox.test(status) || words.mailbox.test(response)) return 'mailbox';
  return isLater ? 'later' : 'other';
}

/**
 * Whether retries can't fix an error, because the server says that the mailbox doesn't exist. Every other error may end
 * by itself or be caused by our settings or reputation, such as an unverified sender, which some servers refuse only
 * with the whole email; the operator can fix that while the email waits.
 */
export const isFinal = (problem: SendProblem): boolean => problem === 'recipient';

const warnings: Partial<Record<SendProblem, string>> = {
  signIn: 'the mail server refuses our sign-in, so emails wait: check user and password in SMTP_URL',
  sender: 'the mail server refuses our sender, so emails wait: check MAIL_FROM',
  unreachable: 'the mail server cannot be reached, so emails wait: check host and port in SMTP_URL',
};

/** What the log says about a problem that makes emails wait. */
export const warningOf = (problem: SendProblem): string => warnings[problem] ?? 'an email could not be sent, and waits';

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
