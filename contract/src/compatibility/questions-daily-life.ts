/** Questions about living together, by topic. Questions and options are stored by key; keys never change. */
export const questionsOfDailyLife = {
  'Time together and alone': {
    'time-alone': {
      text: 'How much time to yourself do you need, even when you are in love?',
      options: {
        'hardly-any': 'Hardly any',
        evening: 'An evening a week',
        daily: 'A little every day',
        days: 'Whole days now and then',
      },
    },
    messages: {
      text: 'How much would you like to text each other on a workday?',
      options: { evening: 'Not at all, we talk in the evening', few: 'A word or two', many: 'Again and again' },
    },
    affection: {
      text: 'Holding hands, or a kiss at the bus stop?',
      options: { gladly: 'Both, gladly', hands: 'Holding hands, yes', home: 'I keep that for home' },
    },
    'phones-at-table': {
      text: 'Where is your phone during dinner?',
      options: { away: 'In another room', 'face-down': 'On the table, but untouched', hand: 'In my hand now and then' },
    },
    'showing-care': {
      text: 'How do you find it easiest to show that you care?',
      options: {
        words: 'In words',
        deeds: 'By doing something for you',
        time: 'By making time',
        touch: 'With a hug',
      },
    },
  },
  'A home together': {
    tidiness: {
      text: 'How tidy should a shared home be?',
      options: {
        strict: 'Everything in its place',
        'lived-in': 'Tidy, but lived in',
        relaxed: 'A mess is fine, dirt is not',
        blind: 'I hardly notice',
      },
    },
    chores: {
      text: 'How should two people share the housework?',
      options: {
        half: 'Half and half, whatever happens',
        liking: 'Each does what they mind least',
        time: 'The one with more time does more',
      },
    },
    visitors: {
      text: 'On Sunday friends ring the bell unannounced. What do you think?',
      options: { joy: 'Lovely, I put the kettle on', call: 'Nice, but please call first', rarely: 'Not on a Sunday' },
    },
    animals: {
      text: 'Would you share your home with a pet?',
      options: { must: 'I would not want to live without one', gladly: 'Gladly', 'rather-not': 'Rather not' },
    },
    'city-or-country': {
      text: 'Where would you like to live in ten years?',
      options: {
        city: 'In the middle of a city',
        edge: 'At its edge, with trees',
        country: 'In the country',
        anywhere: 'Wherever we are together',
      },
    },
  },
  Money: {
    'shared-money': {
      text: 'How should a couple handle money?',
      options: { 'one-pot': 'All in one pot', part: 'A shared pot for shared things', apart: 'Each their own' },
    },
    'left-over': {
      text: 'There is money left at the end of the month. What do you do with it?',
      options: { save: 'I put it aside', both: 'Half is saved, half is fun', enjoy: 'I enjoy it' },
    },
    'big-purchase': {
      text: 'Before you buy something large, do you talk it over with your partner?',
      options: { always: 'Always', shared: 'Only what is for both of us', alone: 'No, each decides alone' },
    },
    lending: {
      text: 'A good friend asks you for a loan. What do you do?',
      options: { lend: 'I lend it if I can', give: 'I give what I can spare', never: 'I keep friends and loans apart' },
    },
    'first-bill': {
      text: 'Who pays on the first evening out?',
      options: { split: 'We split', asked: 'The one who asked', turns: 'One now, the other next time' },
    },
  },
  'Plans and travel': {
    'free-saturday': {
      text: 'A free Saturday is coming. What do you want to know on Friday evening?',
      options: { plan: 'What we do, and when', idea: 'A rough idea is enough', nothing: 'Nothing, we will see' },
    },
    punctuality: {
      text: 'We meet at eight. When do you get there?',
      options: {
        early: 'Ten minutes early',
        'on-time': 'At eight',
        late: 'Soon after, and I write',
        elastic: 'Eightish',
      },
    },
    surprises: {
      text: 'How would you like a surprise party for your birthday?',
      options: { love: 'Very much', few: 'With a few close people', never: 'Please never' },
    },
    holiday: {
      text: 'Two weeks off. How do you spend them?',
      options: {
        rest: 'In one place, resting',
        tour: 'In a new place every other day',
        outdoors: 'Outdoors, with a tent or good boots',
        home: 'At home, with time for everything',
      },
    },
    'travel-apart': {
      text: 'Would you go on holiday without your partner?',
      options: {
        gladly: 'Gladly, also for weeks',
        weekend: 'For a weekend with friends',
        no: 'I would rather go together',
      },
    },
  },
};
