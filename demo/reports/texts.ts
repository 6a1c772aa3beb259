import type { ReportType } from '#contract/moderation/reports.ts';

/** Descriptions by report type. */
export const reportTexts: Record<ReportType, readonly string[]> = {
  'Technical Issue': [
    'The app closes whenever I open the settings on my old phone. It started after the last update.',
    'Photos of other people stay grey for me, at home and on the train. Restarting did not help.',
    'I do not get the confirmation code. I looked into the spam folder twice.',
    'Pages load very slowly in the evening, sometimes more than half a minute.',
  ],
  'Bug Report': [
    'When I change my city the distance stays the same until I sign out and in again.',
    'My birthday was yesterday but the profile shows me a year younger.',
    'On a narrow screen the button at the bottom is half hidden behind the keyboard.',
    'The list shows the same person twice when I scroll quickly.',
  ],
  'Inappropriate Content': [
    'This profile text is an advertisement for some kind of paid chat.',
    'The description is openly hateful towards my religion. Please have a look.',
    'They ask everyone to write to them elsewhere and to send gift cards first.',
    'Half of the text is about selling pills.',
  ],
  Harassment: [
    'I said no twice. Since then they write to me every few hours from a new account.',
    'They found out where I work and told me they would wait outside.',
    'After I ended it they threatened to send our conversation to my family.',
    'Keeps calling me names because I did not answer within an hour.',
  ],
  'Account Issue': [
    'I cannot change my e-mail address, the mail never arrives at the new one.',
    'I deleted my account by mistake and want it back.',
    'Someone signed in from a place I have never been to.',
    'My first name is spelled wrong and I cannot edit it any more.',
  ],
  'Payment Problem': [
    'I was charged twice this month. The second charge came three days after the first.',
    'I canceled in time and was still billed for the next quarter.',
    'My card is refused although it works everywhere else.',
    'The invoice shows the wrong country, so my employer does not accept it.',
  ],
  Other: [
    'Is there a way to pause my profile for a month without deleting it?',
    'You could add hiking to the interests in the search. I would use it every day.',
    'Thank you. We met here in March and are getting married. Feel free to close this.',
    'How do you decide who comes first in the search?',
  ],
};

/** A recent report about a person that has not been decided. */
interface NewReport {
  type: ReportType;
  text: string;
  mayBeMinor: boolean;
  /** The reason for which staff made it critical. */
  emergency?: string;
}

/** New reports, one for each open case: type, text, and whether it is about a minor or an emergency. */
export const newReports: readonly NewReport[] = `
Harassment | He wrote that he knows where I live and will come tonight. I am afraid to go home. | emergency: A threat to life
Other | On the third day they asked me to lend them money for a flight. I did not send any.
Harassment | Asked for pictures again and again after I had said that I do not want to.
Account Issue | These are my pictures. I have never used this name and this is not me.
Inappropriate Content | The second picture shows a child alone. It should not be here.
Harassment | When I ended our chat, insults came for an hour until I blocked them.
Inappropriate Content | The profile text names a woman and where she works, and calls her a liar.
Other | They want to meet only after I have bought something on a site that they named.
Harassment | I think this person is fifteen. They told me which class they are in. | minor
Inappropriate Content | A picture is an advertisement with a telephone number on it.
Account Issue | This is a man I blocked last year, under another name.
Harassment | Sends the same message with a link to everyone I know here.
Inappropriate Content | One answer makes fun of people in wheelchairs.
Other | Said in the first message that they are married and that no one may know. I find that unfair.
Harassment | Found my other account from my pictures and writes to me there now.
Inappropriate Content | The first picture is of an actor. I know the film it is from.
Account Issue | The age cannot be right. They told me they have just retired.
Harassment | Threatened to publish our conversation unless I pay.
Inappropriate Content | There is a swear word in the first line of the profile.
Other | They offered me a sure investment and sent a link to a form.
Harassment | Comes to the café where I work every day since I told them its name.
Inappropriate Content | The profile says that certain people need not apply. It is racist.
Account Issue | This account belonged to a friend of mine who died. Someone else uses it.
Harassment | Wrote "no" is not an answer. I have kept the messages.`
  .trim()
  .split('\n')
  .map((line) => {
    const [type = '', text = '', note = ''] = line.split(' | ');
    const emergency = /^emergency: (.+)/.exec(note)?.[1];
    return {
      ...{ type: type as ReportType, text, mayBeMinor: note === 'minor' },
      ...(emergency !== undefined && { emergency }),
    };
  });

/** Awkward texts: other scripts, markup, very long. */
export const awkwardReportTexts = [
  'هذا الشخص يرسل لي رسائل مزعجة كل يوم ولا يتوقف رغم أنني طلبت منه ذلك.',
  'Look at this: <script>alert("hello")</script> and <b>this</b> & that "works" in their profile?!',
  'この人は何度も同じメッセージを送ってきます。やめてほしいと伝えました。',
  `${'It is a long story, and I tell it in full so that you understand. '.repeat(70)}That is all.`,
];

/** Replies by staff. */
export const staffAnswers = [
  'Thank you for telling us. We are looking into it and will write again today.',
  'Could you tell us which phone and which version of the app you use?',
  'We have taken care of it. Please write back if it happens again.',
  'Thank you, that helped. The mistake is corrected from now on.',
] as const;

/** Replies by reporters. */
export const reporterAnswers = [
  'Thank you for the quick answer.',
  'It happened again this morning.',
  'Version 4 on an Android phone, if that helps.',
] as const;

/** Internal notes. */
export const staffNotes = [
  'Same wording as in two older reports. Check the address they joined with.',
  'Spoke with the payment team, refund is on its way.',
  'Not clear from the text alone. Second pair of eyes, please.',
] as const;
