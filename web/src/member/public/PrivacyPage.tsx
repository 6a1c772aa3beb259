import { useText } from '../../ui/text/text.ts';
import { ReadingPage } from './ReadingPage.tsx';

/** The eight sections of the privacy policy; their numbers come from the order. */
const privacyTexts: readonly { title: string; paragraphs: readonly string[] }[] = [
  {
    title: 'What we collect',
    paragraphs: [
      'What you give us: your name, e-mail address, birth date, gender, whom you would like to meet, what you write about yourself, your pictures, interests, languages and habits, your answers to our questions, whom you block, and the place you name. Your password is kept only as a hash from which nobody can read it.',
      'What arises when you use Heartwood: when you joined and were last active, the browsers you are signed in with together with a shortened network address, the consent you gave and when, whom you like, pass on or match with and what you write to each other, what such decisions teach about whom to show to whom, what we told you of and how you want to be told, and what you write to our support team. Where you turn notifications on for a device, also the address at which the maker of its browser reaches it; it goes when you turn them off or sign out.',
    ],
  },
  {
    title: 'Why we use it, and your consent',
    paragraphs: [
      'We use your data to run the service: to show you to people who may suit you and them to you, to keep accounts safe, and to answer you.',
      'That somebody uses a dating service, and whom they seek, deserves special protection. We process it only because you explicitly agreed when you joined. You can take that consent back at any time by leaving.',
    ],
  },
  {
    title: 'What other people see',
    paragraphs: [
      'Members see your first name, your age, your gender, your city, a rough distance, your pictures once our team has approved them, and what you tell on your profile: your words, interests, languages, habits and what you are here for. They never see your family name, e-mail address, birth date, exact place, whom you seek, or your answers to our questions.',
      'When you hide when you were last active, you also no longer see it of others.',
      'What you write to a match is read by that person alone. Our team reads it only where one of you reports it: then it gets a copy of that message and of a few around it, with what was changed or deleted before.',
      'Our team looks at each new picture. Few people on our staff can open accounts. Each time one of them opens or changes an account, it is recorded who did it and when.',
    ],
  },
  {
    title: 'Your location',
    paragraphs: [
      'Before anything is stored or calculated, your place is moved to the middle of an area some three kilometres across. Only that middle is kept, only the latest one, and every distance is counted from it.',
    ],
  },
  {
    title: 'Whom we share it with',
    paragraphs: [
      'We do not sell data and do not show advertising. Our pages contain no trackers, pixels or scripts of others; only where you pay by card the payment provider brings its own form along.',
      'Others receive data only where the service cannot run without it, such as the provider that delivers our mail, or the one that takes payments for premium (your name, e-mail address and card; card numbers never reach us), or where the law obliges us. Subjects of our mails are discreet, and we never put your e-mail address into web addresses or logs.',
      'If you sign in with Google or Facebook, you go to their page for it, so they learn that you use Heartwood. They tell us your name, your e-mail address and the number they know you by; we tell them nothing about you.',
      'Where you turn notifications on for a device, the maker of its browser (such as Apple, Google, Microsoft or Mozilla) carries them there. They are encrypted, and say only what kind of news there is: never who it is, and never what was written.',
    ],
  },
  {
    title: 'How long we keep it',
    paragraphs: [
      'When you leave, you are invisible at once. For 14 days you can return; within 30 days after that your data is erased, and it vanishes from backups after 35 days at most.',
      'What two people wrote to each other is kept while they are a match and for 180 days after, since it may still have to be reported; when one of them leaves Heartwood, it goes with their data.',
      'When somebody has reported a person, we keep a copy of what others could see of them, first name and pictures included, and of the messages that were reported with a few around them, until two years after the report is settled: otherwise whoever harms others could end every case by leaving. Once the account is gone, nothing but that copy tells whom it is about. Of a refused picture we keep 64 bits by which it is known again, and of an account we closed a digest of its address, for two years.',
      'Accounts whose address is never confirmed go after 30 days, records of sign-ins and of what we told you after 90 days, and records of what our staff did after two years. Invoices stay for ten years, as tax law demands, without your name once your account is gone; of a card that had a free trial a digest stays, so that it has one only once.',
    ],
  },
  {
    title: 'Your rights and choices',
    paragraphs: [
      'You can see and correct your data, receive a copy of it, have it erased, object to how we use it, and complain to a data protection authority.',
      'Write to us from the address you joined with. We answer within one month at the latest, usually within a few days.',
    ],
  },
  {
    title: 'Adults only, changes, and how to reach us',
    paragraphs: [
      'Heartwood is not for people under 18. We ask for the birth date when you join and refuse younger people; when we learn of one, the account is closed and its data erased.',
      'When this policy changes in a way that matters, we tell you before it takes effect and ask again where your consent is needed. For every question about your data, write to our support team.',
    ],
  },
];

/** The privacy policy. */
export function PrivacyPage() {
  const t = useText();
  return (
    <ReadingPage
      title={t('Privacy Policy')}
      lead={t('Last updated: Oct 20, 2025')}
      sections={privacyTexts}
      question={t('Questions about your data?')}
    />
  );
}
