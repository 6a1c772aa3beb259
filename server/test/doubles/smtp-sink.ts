import { type AddressInfo, createServer, type Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  from: string;
  /** Every recipient of the email. */
  to: string[];
  headers: string;
  source: string;
}

/** A local mail server. */
export interface SmtpSink {
  port: number;
  mails: ReceivedMail[];
  /** The `RCPT TO` commands as they were sent, because the library behind `mails` decodes international domains. */
  recipientCommands: string[];
  /**
   * Answers the next deliveries with this status instead of accepting them, in reply to the sender, one recipient or
   * the whole email.
   */
  refuse(at: 'sender' | 'mailbox' | 'mail', status: number, times: number, words?: string): void;
  close(): Promise<void>;
}

const statusError = (status: number, words = 'refused') => Object.assign(new Error(words), { responseCode: status });

/** Starts a mail server on `port`, or any free one, that stores received emails, and requires `password` if set. */
export async function startSmtpSink(port = 0, password: string | null = null): Promise<SmtpSink> {
  const mails: ReceivedMail[] = [];
  const recipientCommands: string[] = [];
  let refusal = { at: '', status: 0, times: 0, words: '' };
  const refused = (at: string) => {
    if (refusal.at !== at || refusal.times === 0) return null;
    refusal.times -= 1;
    return statusError(refusal.status, refusal.words);
  };
  const server = new SMTPServer({
    authOptional: password === null,
    allowInsecureAuth: true,
    disabledCommands: password === null ? ['STARTTLS', 'AUTH'] : ['STARTTLS'],
    onAuth: (auth, _session, done) => {
      if (auth.password === password) done(null, { user: auth.username });
      else done(statusError(535));
    },
    onMailFrom: (_address, _session, done) => {
      done(refused('sender'));
    },
    onRcptTo: (_address, _session, done) => {
      done(refused('mailbox'));
    },
    onData: (stream, session, done) => {
      let source = '';
      stream.setEncoding('utf8').on('data', (chunk: string) => (source += chunk));
      stream.on('end', () => {
        const error = refused('mail');
        const { mailFrom, rcptTo } = session.envelope;
        if (error === null) {
          const to = rcptTo.map((mailbox) => mailbox.address);
          mails.push({
            from: mailFrom === false ? '' : mailFrom.address,
            to,
            headers: source.split('\r\n\r\n', 1)[0] ?? '',
            source,
          });
        }
        done(error);
      });
    },
  });
  const sockets = new Set<Socket>();
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (sent) => recipientCommands.push(...(sent.toString('latin1').match(/^RCPT TO:.*$/gm) ?? [])));
  });
  await new Promise<void>((started) => {
    server.listen(port, '127.0.0.1', () => {
      started();
    });
  });
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    recipientCommands,
    refuse: (at, status, times, words = 'refused') => {
      refusal = { at, status, times, words };
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => {
          closed();
        });
        // Senders keep their connections open for more emails.
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Starts a server that accepts connections but never answers. */
export async function startSilentServer(): Promise<{ port: number; connections: Set<Socket>; close(): Promise<void> }> {
  const connections = new Set<Socket>();
  const server = createServer((socket) => {
    connections.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((started) => server.listen(0, '127.0.0.1', started));
  return {
    port: (server.address() as AddressInfo).port,
    connections,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of connections) socket.destroy();
      await closed;
    },
  };
}
