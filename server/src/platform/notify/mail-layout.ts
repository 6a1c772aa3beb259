import { Body, Button, Container, Head, Heading, Html, Link, Preview, Text } from '@react-email/components';
import { render } from '@react-email/render';
import { createElement as h } from 'react';

/** The content of an email; all emails share one layout. */
export interface MailContent {
  /** Discreet: people nearby can read it. */
  subject: string;
  heading: string;
  paragraphs: string[];
  code?: string;
  button?: { text: string; url: string };
  /** Small print at the end. */
  footnote?: string;
  /** How to unsubscribe: a page for people, and a one-click URL for mail programs (RFC 8058). */
  unsubscribe?: { page: string; oneClick: string };
}

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

const sans = '-apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif';
const styles = {
  body: { backgroundColor: '#f7f3f0', fontFamily: sans, margin: 0, padding: '24px 0' },
  card: { backgroundColor: '#ffffff', borderRadius: 12, padding: '32px', maxWidth: 480 },
  heading: { fontSize: 22, lineHeight: '28px', color: '#2b1d1a', margin: '0 0 16px' },
  text: { fontSize: 16, lineHeight: '24px', color: '#3d302c', margin: '0 0 16px' },
  code: { fontSize: 32, letterSpacing: 6, fontWeight: 700, color: '#2b1d1a', margin: '8px 0 24px' },
  button: {
    backgroundColor: '#9c2f3f',
    color: '#ffffff',
    borderRadius: 8,
    padding: '12px 20px',
    fontSize: 16,
    fontWeight: 600,
  },
  small: { fontSize: 13, lineHeight: '20px', color: '#6b5c57', margin: '24px 0 0' },
  link: { color: '#9c2f3f' },
};

function layout(content: MailContent) {
  return h(
    Html,
    { lang: 'en' },
    h(Head),
    h(Preview, null, content.heading),
    h(
      Body,
      { style: styles.body },
      h(
        Container,
        { style: styles.card },
        h(Heading, { style: styles.heading }, content.heading),
        ...content.paragraphs.map((paragraph, index) => h(Text, { key: index, style: styles.text }, paragraph)),
        content.code === undefined ? null : h(Text, { style: styles.code }, content.code),
        content.button === undefined
          ? null
          : h(Button, { href: content.button.url, style: styles.button }, content.button.text),
        content.footnote === undefined ? null : h(Text, { style: styles.small }, content.footnote),
        content.unsubscribe === undefined
          ? null
          : h(
              Text,
              { style: styles.small },
              'You receive this email because of your notification settings. ',
              h(Link, { href: content.unsubscribe.page, style: styles.link }, 'Unsubscribe'),
            ),
      ),
    ),
  );
}

/** The email as HTML and plain text from the same source; all content is escaped. */
export async function renderMail(content: MailContent): Promise<RenderedMail> {
  const element = layout(content);
  const [html, text] = await Promise.all([render(element), render(element, { plainText: true })]);
  return { subject: content.subject.replaceAll(/[\r\n]+/g, ' '), html, text };
}
