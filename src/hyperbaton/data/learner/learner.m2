S I am live in a small town near the sea .
A 1 2|||U:VERB||||||REQUIRED|||-NONE-|||0

S She go to school by bus every day .
A 1 2|||R:VERB:SVA|||goes|||REQUIRED|||-NONE-|||0

S He have two brothers and one sister .
A 1 2|||R:VERB:SVA|||has|||REQUIRED|||-NONE-|||0

S My parents was very happy to see us .
A 2 3|||R:VERB:SVA|||were|||REQUIRED|||-NONE-|||0

S The childrens are playing in the garden .
A 1 2|||R:SPELL|||children|||REQUIRED|||-NONE-|||0

S I need some informations about the train .
A 3 4|||R:NOUN:INFL|||information|||REQUIRED|||-NONE-|||0

S Yesterday I go to the market with my mother .
A 2 3|||R:VERB:TENSE|||went|||REQUIRED|||-NONE-|||0

S We was waiting for the bus when it start to rain .
A 1 2|||R:VERB:SVA|||were|||REQUIRED|||-NONE-|||0
A 8 9|||R:VERB:TENSE|||started|||REQUIRED|||-NONE-|||0

S He is good in mathematics .
A 3 4|||R:PREP|||at|||REQUIRED|||-NONE-|||0

S I am interested on history .
A 3 4|||R:PREP|||in|||REQUIRED|||-NONE-|||0

S She arrived to the station at nine .
A 2 3|||R:PREP|||at|||REQUIRED|||-NONE-|||0

S They discussed about the plan for hours .
A 2 3|||U:PREP||||||REQUIRED|||-NONE-|||0

S Please listen me carefully .
A 2 2|||M:PREP|||to|||REQUIRED|||-NONE-|||0

S I look forward to hear from you .
A 4 5|||R:VERB:FORM|||hearing|||REQUIRED|||-NONE-|||0

S He suggested to take a taxi .
A 2 4|||R:VERB:FORM|||taking|||REQUIRED|||-NONE-|||0

S I want that you help me .
A 2 3|||U:PREP||||||REQUIRED|||-NONE-|||0
A 4 4|||M:VERB:FORM|||to|||REQUIRED|||-NONE-|||0

S She made me to laugh .
A 3 4|||U:VERB:FORM||||||REQUIRED|||-NONE-|||0

S I enjoy to read in the evening .
A 2 4|||R:VERB:FORM|||reading|||REQUIRED|||-NONE-|||0

S My sister is more taller than me .
A 3 4|||U:ADV||||||REQUIRED|||-NONE-|||0

S This is the goodest cake in the world .
A 3 4|||R:ADJ|||best|||REQUIRED|||-NONE-|||0

S I have car and bicycle .
A 2 2|||M:DET|||a|||REQUIRED|||-NONE-|||0
A 4 4|||M:DET|||a|||REQUIRED|||-NONE-|||0

S The life is short .
A 0 2|||U:DET|||Life|||REQUIRED|||-NONE-|||0

S She is doctor in hospital .
A 2 2|||M:DET|||a|||REQUIRED|||-NONE-|||0
A 4 4|||M:DET|||a|||REQUIRED|||-NONE-|||0

S He plays a guitar very good .
A 2 3|||R:DET|||the|||REQUIRED|||-NONE-|||0
A 5 6|||R:ADV|||well|||REQUIRED|||-NONE-|||0

S I have never saw such a big dog .
A 3 4|||R:VERB:FORM|||seen|||REQUIRED|||-NONE-|||0

S He has ate all the cookies .
A 2 3|||R:VERB:FORM|||eaten|||REQUIRED|||-NONE-|||0

S The letter was wrote by my grandmother .
A 3 4|||R:VERB:FORM|||written|||REQUIRED|||-NONE-|||0

S I did n't knew the answer .
A 3 4|||R:VERB:FORM|||know|||REQUIRED|||-NONE-|||0

S Did you went to the party ?
A 2 3|||R:VERB:FORM|||go|||REQUIRED|||-NONE-|||0

S Where you live ?
A 1 1|||M:VERB:TENSE|||do|||REQUIRED|||-NONE-|||0

S What means this word ?
A 1 2|||R:VERB|||does|||REQUIRED|||-NONE-|||0
A 4 4|||M:VERB|||mean|||REQUIRED|||-NONE-|||0

S Why she is crying ?
A 1 3|||R:WO|||is she|||REQUIRED|||-NONE-|||0

S I do n't know where is the key .
A 5 8|||R:WO|||the key is|||REQUIRED|||-NONE-|||0

S Always he comes late .
A 0 2|||R:WO|||He always|||REQUIRED|||-NONE-|||0

S I like very much this song .
A 2 6|||R:WO|||this song very much|||REQUIRED|||-NONE-|||0

S She speaks fluently English .
A 2 4|||R:WO|||English fluently|||REQUIRED|||-NONE-|||0

S I recieved your letter last week .
A 1 2|||R:SPELL|||received|||REQUIRED|||-NONE-|||0

S It was a beautifull day .
A 3 4|||R:SPELL|||beautiful|||REQUIRED|||-NONE-|||0

S We will tomorow visit our freinds .
A 2 3|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||0
A 5 6|||R:NOUN|||friends tomorrow|||REQUIRED|||-NONE-|||0

S The wether is realy cold today .
A 1 2|||R:NOUN|||weather|||REQUIRED|||-NONE-|||0
A 3 4|||R:SPELL|||really|||REQUIRED|||-NONE-|||0

S I beleive that he is honest .
A 1 2|||R:SPELL|||believe|||REQUIRED|||-NONE-|||0

S Unfortunatly the shop was closed .
A 0 1|||R:SPELL|||Unfortunately|||REQUIRED|||-NONE-|||0
A 1 1|||M:PUNCT|||,|||REQUIRED|||-NONE-|||0

S i live in london .
A 0 1|||R:ORTH|||I|||REQUIRED|||-NONE-|||0
A 3 4|||R:ORTH|||London|||REQUIRED|||-NONE-|||0

S We met on monday in paris .
A 3 4|||R:ORTH|||Monday|||REQUIRED|||-NONE-|||0
A 5 6|||R:ORTH|||Paris|||REQUIRED|||-NONE-|||0

S My brother speaks french and german .
A 3 4|||R:ORTH|||French|||REQUIRED|||-NONE-|||0
A 5 6|||R:ORTH|||German|||REQUIRED|||-NONE-|||0

S The teachers room is on the first floor .
A 1 2|||R:NOUN:POSS|||teacher 's|||REQUIRED|||-NONE-|||0

S This is my mothers bag .
A 3 4|||R:NOUN:POSS|||mother 's|||REQUIRED|||-NONE-|||0

S Its raining again .
A 0 1|||R:OTHER|||It 's|||REQUIRED|||-NONE-|||0

S The cat is licking it 's paw .
A 4 6|||R:OTHER|||its|||REQUIRED|||-NONE-|||0

S There house is bigger than our .
A 0 1|||R:DET|||Their|||REQUIRED|||-NONE-|||0
A 5 6|||R:SPELL|||ours|||REQUIRED|||-NONE-|||0

S Your welcome to stay with us .
A 0 1|||R:PRON|||You|||REQUIRED|||-NONE-|||0
A 1 1|||M:CONTR|||'re|||REQUIRED|||-NONE-|||0

S I can to swim .
A 2 3|||U:VERB:FORM||||||REQUIRED|||-NONE-|||0

S You must to be quiet here .
A 2 3|||U:VERB:FORM||||||REQUIRED|||-NONE-|||0

S He did n't came because he was ill .
A 3 4|||R:VERB:FORM|||come|||REQUIRED|||-NONE-|||0

S If I will have time , I will call you .
A 2 3|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||0

S If I was rich , I will buy a house .
A 2 3|||R:VERB:SVA|||were|||REQUIRED|||-NONE-|||0
A 6 7|||R:VERB:TENSE|||would|||REQUIRED|||-NONE-|||0

S I am here since three years .
A 1 2|||R:VERB:TENSE|||have been|||REQUIRED|||-NONE-|||0
A 3 4|||R:PREP|||for|||REQUIRED|||-NONE-|||0

S She works here since 2010 .
A 1 2|||R:VERB:TENSE|||has worked|||REQUIRED|||-NONE-|||0

S We are knowing each other for a long time .
A 1 2|||R:VERB:TENSE|||have|||REQUIRED|||-NONE-|||0
A 2 3|||R:VERB:FORM|||known|||REQUIRED|||-NONE-|||0

S When I arrived , the film already started .
A 6 6|||M:VERB:TENSE|||had|||REQUIRED|||-NONE-|||0

S Tomorrow we have go to the doctor .
A 3 3|||M:VERB:FORM|||to|||REQUIRED|||-NONE-|||0

S I forgot closing the window .
A 2 3|||R:VERB:FORM|||to close|||REQUIRED|||-NONE-|||0

S He stopped to smoke last year .
A 2 4|||R:VERB:FORM|||smoking|||REQUIRED|||-NONE-|||0

S It is difficult learn Chinese .
A 3 3|||M:VERB:FORM|||to|||REQUIRED|||-NONE-|||0

S They are afraid from dogs .
A 3 4|||R:PREP|||of|||REQUIRED|||-NONE-|||0

S I agree to you .
A 2 3|||R:PREP|||with|||REQUIRED|||-NONE-|||0

S It depends of the weather .
A 2 3|||R:PREP|||on|||REQUIRED|||-NONE-|||0

S She is married with a teacher .
A 3 4|||R:PREP|||to|||REQUIRED|||-NONE-|||0

S We went at home at midnight .
A 2 3|||U:PREP||||||REQUIRED|||-NONE-|||0

S I will call you in Monday .
A 4 5|||R:PREP|||on|||REQUIRED|||-NONE-|||0

S He is waiting the bus .
A 3 3|||M:PREP|||for|||REQUIRED|||-NONE-|||0

S I have been thinking to you .
A 4 5|||R:PREP|||about|||REQUIRED|||-NONE-|||0

S The dog jumped over from the wall .
A 4 5|||U:PREP||||||REQUIRED|||-NONE-|||0

S I gave to him a book .
A 2 3|||U:PREP||||||REQUIRED|||-NONE-|||0

S Explain me the rule .
A 1 2|||U:PRON||||||REQUIRED|||-NONE-|||0
A 4 4|||M:OTHER|||to me|||REQUIRED|||-NONE-|||0

S I have many works to do today .
A 2 3|||R:OTHER|||a lot of|||REQUIRED|||-NONE-|||0
A 3 4|||R:NOUN:NUM|||work|||REQUIRED|||-NONE-|||0

S He gave me many good advices .
A 3 4|||R:OTHER|||a lot of|||REQUIRED|||-NONE-|||0
A 5 6|||R:NOUN:NUM|||advice|||REQUIRED|||-NONE-|||0

S How much apples did you buy ?
A 1 2|||R:ADJ|||many|||REQUIRED|||-NONE-|||0

S There are less cars on Sunday .
A 2 3|||R:ADJ|||fewer|||REQUIRED|||-NONE-|||0

S I have only few money .
A 3 4|||R:OTHER|||a little|||REQUIRED|||-NONE-|||0

S Every students must read this book .
A 1 2|||R:NOUN:NUM|||student|||REQUIRED|||-NONE-|||0

S Two of my friend are from Spain .
A 3 4|||R:NOUN:NUM|||friends|||REQUIRED|||-NONE-|||0

S One of the window is broken .
A 3 4|||R:NOUN:NUM|||windows|||REQUIRED|||-NONE-|||0

S These shoe are too small for me .
A 1 2|||R:NOUN:NUM|||shoes|||REQUIRED|||-NONE-|||0

S This books are very old .
A 0 1|||R:DET|||These|||REQUIRED|||-NONE-|||0

S That people are waiting outside .
A 0 1|||R:DET|||Those|||REQUIRED|||-NONE-|||0

S The police has found the thief .
A 2 3|||R:VERB:SVA|||have|||REQUIRED|||-NONE-|||0

S Everybody are tired .
A 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0

S There is many people in the street .
A 1 2|||R:VERB:SVA|||are|||REQUIRED|||-NONE-|||0

S The news are bad .
A 2 3|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0

S My brother and my sister lives in Rome .
A 5 6|||R:VERB:SVA|||live|||REQUIRED|||-NONE-|||0

S He do n't like coffee .
A 1 2|||R:VERB:SVA|||does|||REQUIRED|||-NONE-|||0

S Do she speak Spanish ?
A 0 1|||R:VERB:SVA|||Does|||REQUIRED|||-NONE-|||0

S The boy which broke the window ran away .
A 2 3|||R:PRON|||who|||REQUIRED|||-NONE-|||0

S The man who I told you about him is here .
A 7 8|||U:PRON||||||REQUIRED|||-NONE-|||0

S Me and my friend are going to the cinema .
A 0 1|||U:PRON||||||REQUIRED|||-NONE-|||0
A 1 4|||R:WO|||My friend and|||REQUIRED|||-NONE-|||0
A 4 4|||M:PRON|||I|||REQUIRED|||-NONE-|||0

S He hurt hisself with a knife .
A 2 3|||R:SPELL|||himself|||REQUIRED|||-NONE-|||0

S They helped theirselves to the cake .
A 2 3|||R:SPELL|||themselves|||REQUIRED|||-NONE-|||0

S Is very hot today .
A 0 1|||M:PRON|||It is|||REQUIRED|||-NONE-|||0

S When I opened the door , was nobody there .
A 6 6|||M:PRON|||there|||REQUIRED|||-NONE-|||0

S My father he works in a bank .
A 2 3|||U:PRON||||||REQUIRED|||-NONE-|||0

S I bought a new phone and I like very much .
A 8 8|||M:PRON|||it|||REQUIRED|||-NONE-|||0

S Although it was late , but we went out .
A 5 6|||U:CONJ||||||REQUIRED|||-NONE-|||0

S Because I was tired . I went to bed .
A 4 5|||R:PUNCT|||,|||REQUIRED|||-NONE-|||0

S I was hungry I made a sandwich .
A 3 3|||M:OTHER|||, so|||REQUIRED|||-NONE-|||0

S She was tired however she kept working .
A 3 3|||M:PUNCT|||;|||REQUIRED|||-NONE-|||0
A 4 4|||M:PUNCT|||,|||REQUIRED|||-NONE-|||0

S I bought bread milk and eggs .
A 3 3|||M:PUNCT|||,|||REQUIRED|||-NONE-|||0

S What time is it .
A 4 5|||R:PUNCT|||?|||REQUIRED|||-NONE-|||0

S He said , that he was busy .
A 2 3|||U:PUNCT||||||REQUIRED|||-NONE-|||0

S Do you want tea , or coffee or juice ?
A 5 6|||U:CONJ||||||REQUIRED|||-NONE-|||0

S I like both tea or coffee .
A 4 5|||R:CONJ|||and|||REQUIRED|||-NONE-|||0

S He is rich and he is not happy .
A 3 4|||R:CONJ|||but|||REQUIRED|||-NONE-|||0

S I will wait that you come back .
A 3 4|||R:PREP|||until|||REQUIRED|||-NONE-|||0

S I could n't sleep because the noise .
A 5 5|||M:PREP|||of|||REQUIRED|||-NONE-|||0

S Despite of the rain , we played football .
A 1 2|||U:PREP||||||REQUIRED|||-NONE-|||0

S I am agree with you .
A 1 2|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||0

S She born in 1990 .
A 1 1|||M:VERB:TENSE|||was|||REQUIRED|||-NONE-|||0

S The house built in 1900 .
A 2 2|||M:VERB:TENSE|||was|||REQUIRED|||-NONE-|||0

S He was died last year .
A 1 2|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||0

S The accident was happened at night .
A 2 3|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||0

S I am boring in this class .
A 2 3|||R:MORPH|||bored|||REQUIRED|||-NONE-|||0

S The film was very interested .
A 4 5|||R:MORPH|||interesting|||REQUIRED|||-NONE-|||0

S He drives very careful .
A 3 4|||R:MORPH|||carefully|||REQUIRED|||-NONE-|||0

S She looked at me angry .
A 4 5|||R:MORPH|||angrily|||REQUIRED|||-NONE-|||0

S It was a quickly answer .
A 3 4|||R:MORPH|||quick|||REQUIRED|||-NONE-|||0

S The soup smells deliciously .
A 3 4|||R:MORPH|||delicious|||REQUIRED|||-NONE-|||0

S He is a very success man .
A 4 5|||R:MORPH|||successful|||REQUIRED|||-NONE-|||0

S I made a big mistake choice .
A 5 6|||U:NOUN||||||REQUIRED|||-NONE-|||0

S She has a strongly opinion about it .
A 3 4|||R:ADJ|||strong|||REQUIRED|||-NONE-|||0

S He did a decision to leave .
A 1 2|||R:VERB|||made|||REQUIRED|||-NONE-|||0

S I made my homework before dinner .
A 1 2|||R:VERB|||did|||REQUIRED|||-NONE-|||0

S She said me the truth .
A 1 2|||R:VERB|||told|||REQUIRED|||-NONE-|||0

S Can you borrow me your pen ?
A 2 3|||R:VERB|||lend|||REQUIRED|||-NONE-|||0

S I want to learn you how to cook .
A 3 4|||R:VERB|||teach|||REQUIRED|||-NONE-|||0

S We passed a good time on the beach .
A 1 2|||R:VERB|||had|||REQUIRED|||-NONE-|||0

S He lost the bus this morning .
A 1 2|||R:VERB|||missed|||REQUIRED|||-NONE-|||0

S I opened the light because it was dark .
A 1 2|||R:VERB|||turned on|||REQUIRED|||-NONE-|||0

S Please put off your shoes .
A 1 2|||R:VERB|||take|||REQUIRED|||-NONE-|||0

S I looked my keys everywhere .
A 2 2|||M:PREP|||for|||REQUIRED|||-NONE-|||0

S He gave smoking last year .
A 2 2|||M:PART|||up|||REQUIRED|||-NONE-|||0

S She got up on the bus .
A 2 3|||U:PART||||||REQUIRED|||-NONE-|||0

S Turn the music , please .
A 3 3|||M:PART|||down|||REQUIRED|||-NONE-|||0

S He fell of the tree .
A 2 2|||M:PREP|||out|||REQUIRED|||-NONE-|||0

S I am not enough tall .
A 3 5|||R:WO|||tall enough|||REQUIRED|||-NONE-|||0

S It is a too big house for us .
A 2 5|||R:WO|||too big a|||REQUIRED|||-NONE-|||0

S I very like this city .
A 1 2|||U:ADV||||||REQUIRED|||-NONE-|||0
A 5 5|||M:ADV|||very much|||REQUIRED|||-NONE-|||0

S Only I have one brother .
A 0 3|||R:WO|||I have only|||REQUIRED|||-NONE-|||0

S He works hardly every day .
A 2 3|||R:MORPH|||hard|||REQUIRED|||-NONE-|||0

S Last week I buyed two new shirt .
A 3 4|||R:VERB:INFL|||bought|||REQUIRED|||-NONE-|||0
A 6 7|||R:NOUN:NUM|||shirts|||REQUIRED|||-NONE-|||0

S She catched the ball and runned home .
A 1 2|||R:VERB:INFL|||caught|||REQUIRED|||-NONE-|||0
A 5 6|||R:VERB|||ran|||REQUIRED|||-NONE-|||0

S He putted the glass on the table .
A 1 2|||R:MORPH|||put|||REQUIRED|||-NONE-|||0

S The leafs are falling from the trees .
A 1 2|||R:NOUN|||leaves|||REQUIRED|||-NONE-|||0

S Three womans are sitting in the park .
A 1 2|||R:NOUN:INFL|||women|||REQUIRED|||-NONE-|||0

S I saw two mouses in the kitchen .
A 3 4|||R:NOUN:NUM|||mice|||REQUIRED|||-NONE-|||0

S I have not money for the ticket .
A 2 3|||R:OTHER|||no|||REQUIRED|||-NONE-|||0

S I do n't have nothing to say .
A 4 5|||R:NOUN|||anything|||REQUIRED|||-NONE-|||0

S Nobody did n't see the accident .
A 1 4|||R:OTHER|||saw|||REQUIRED|||-NONE-|||0

S He is the man most rich in the village .
A 3 3|||M:ADJ|||richest|||REQUIRED|||-NONE-|||0
A 4 6|||U:OTHER||||||REQUIRED|||-NONE-|||0

S My first dog was more small than this .
A 4 5|||U:ADV||||||REQUIRED|||-NONE-|||0
A 5 6|||R:ADJ:FORM|||smaller|||REQUIRED|||-NONE-|||0
A 8 8|||M:NOUN|||one|||REQUIRED|||-NONE-|||0

S In the morning I brush my teeths and wash face .
A 6 7|||R:SPELL|||teeth|||REQUIRED|||-NONE-|||0
A 9 9|||M:DET|||my|||REQUIRED|||-NONE-|||0

S When I was child I was living in big house with my grandparent .
A 3 3|||M:DET|||a|||REQUIRED|||-NONE-|||0
A 4 4|||M:PUNCT|||,|||REQUIRED|||-NONE-|||0
A 5 7|||R:VERB:TENSE|||lived|||REQUIRED|||-NONE-|||0
A 8 8|||M:DET|||a|||REQUIRED|||-NONE-|||0
A 12 13|||R:NOUN:NUM|||grandparents|||REQUIRED|||-NONE-|||0

S Last summer we goed to Italy and eated many ice cream .
A 3 4|||R:VERB:INFL|||went|||REQUIRED|||-NONE-|||0
A 7 8|||R:VERB:INFL|||ate|||REQUIRED|||-NONE-|||0
A 8 9|||R:OTHER|||a lot of|||REQUIRED|||-NONE-|||0

S I am study english since two year and I still make many mistake .
A 1 2|||R:VERB:TENSE|||have been|||REQUIRED|||-NONE-|||0
A 2 3|||R:VERB:FORM|||studying|||REQUIRED|||-NONE-|||0
A 3 4|||R:ORTH|||English|||REQUIRED|||-NONE-|||0
A 4 5|||R:PREP|||for|||REQUIRED|||-NONE-|||0
A 6 7|||R:NOUN:NUM|||years|||REQUIRED|||-NONE-|||0
A 12 13|||R:NOUN:NUM|||mistakes|||REQUIRED|||-NONE-|||0

S Yesterday night my neighbour make a party and I ca n't to sleep .
A 0 1|||R:OTHER|||Last|||REQUIRED|||-NONE-|||0
A 4 5|||R:VERB|||had|||REQUIRED|||-NONE-|||0
A 9 10|||R:VERB:TENSE|||could|||REQUIRED|||-NONE-|||0
A 11 12|||U:VERB:FORM||||||REQUIRED|||-NONE-|||0

S She did n't went to work becouse she have a headache .
A 3 4|||R:VERB:FORM|||go|||REQUIRED|||-NONE-|||0
A 6 7|||R:SPELL|||because|||REQUIRED|||-NONE-|||0
A 8 9|||R:VERB:TENSE|||had|||REQUIRED|||-NONE-|||0

S In my country peoples drinks tea in the every morning .
A 3 4|||R:NOUN:NUM|||people|||REQUIRED|||-NONE-|||0
A 4 5|||R:VERB:SVA|||drink|||REQUIRED|||-NONE-|||0
A 6 8|||U:OTHER||||||REQUIRED|||-NONE-|||0

S I would like to thanks you for you help .
A 4 5|||R:MORPH|||thank|||REQUIRED|||-NONE-|||0
A 7 8|||R:DET|||your|||REQUIRED|||-NONE-|||0

S He told to me that he is coming in tomorrow .
A 2 3|||U:PREP||||||REQUIRED|||-NONE-|||0
A 6 7|||R:VERB:TENSE|||was|||REQUIRED|||-NONE-|||0
A 8 9|||U:PREP||||||REQUIRED|||-NONE-|||0

S The most of my friend has a car , but I go by foot .
A 0 2|||U:DET|||Most|||REQUIRED|||-NONE-|||0
A 4 5|||R:NOUN:NUM|||friends|||REQUIRED|||-NONE-|||0
A 5 6|||R:VERB:SVA|||have|||REQUIRED|||-NONE-|||0
A 12 13|||R:PREP|||on|||REQUIRED|||-NONE-|||0

S I hope you to be good , and that you write me soon .
A 3 5|||R:VERB:FORM|||are|||REQUIRED|||-NONE-|||0
A 5 6|||R:ADJ|||well|||REQUIRED|||-NONE-|||0
A 11 11|||M:PREP|||to|||REQUIRED|||-NONE-|||0

S There is a lot of thing that I do n't understand about this problems .
A 1 2|||R:VERB:SVA|||are|||REQUIRED|||-NONE-|||0
A 5 6|||R:NOUN:NUM|||things|||REQUIRED|||-NONE-|||0
A 13 14|||R:NOUN:NUM|||problem|||REQUIRED|||-NONE-|||0

S If you will come to my house , I cook for you typical food from my country .
A 2 3|||U:VERB:TENSE||||||REQUIRED|||-NONE-|||0
A 9 9|||M:VERB:TENSE|||will|||REQUIRED|||-NONE-|||0
A 10 12|||U:OTHER||||||REQUIRED|||-NONE-|||0
A 17 17|||M:OTHER|||for you|||REQUIRED|||-NONE-|||0

S My friend car is red .
A 2 2|||M:NOUN:POSS|||'s|||REQUIRED|||-NONE-|||0

S We stayed in my uncle house for a week .
A 5 5|||M:NOUN:POSS|||'s|||REQUIRED|||-NONE-|||0

S The book 's are on the shelf .
A 1 3|||R:NOUN:POSS|||books|||REQUIRED|||-NONE-|||0

S The students ' names ' are on the list .
A 4 5|||U:NOUN:POSS||||||REQUIRED|||-NONE-|||0

S This is the dogs ' bowl , because we have only one dog .
A 3 5|||R:NOUN:POSS|||dog 's|||REQUIRED|||-NONE-|||0

S I not like cold weather .
A 1 2|||R:OTHER|||do n't|||REQUIRED|||-NONE-|||0

S I have see her before , so I know she nice .
A 2 3|||R:VERB:FORM|||seen|||REQUIRED|||-NONE-|||0
A 10 10|||M:CONTR|||'s|||REQUIRED|||-NONE-|||0

S He not coming with us .
A 1 1|||M:CONTR|||'s|||REQUIRED|||-NONE-|||0

S I 'd will go there tomorrow .
A 1 3|||R:VERB:TENSE|||'ll|||REQUIRED|||-NONE-|||0

S Let 's us go home .
A 2 3|||U:PRON||||||REQUIRED|||-NONE-|||0

S My big sister is a tall old nice woman .
A 5 7|||U:ADJ||||||REQUIRED|||-NONE-|||0

S It was a cold wet free day in November .
A 5 6|||U:ADJ||||||REQUIRED|||-NONE-|||0

S I washed the dishes cleaned the kitchen .
A 4 4|||M:CONJ|||and|||REQUIRED|||-NONE-|||0

S Close the door you go out .
A 3 3|||M:ADV|||when|||REQUIRED|||-NONE-|||0

S They got of the train at the last stop .
A 2 3|||R:PREP|||off|||REQUIRED|||-NONE-|||0

S He turned up the lamp and went to sleep .
A 2 3|||R:PART|||off|||REQUIRED|||-NONE-|||0

S We 'll not can come on Friday .
A 1 2|||R:CONTR|||wo|||REQUIRED|||-NONE-|||0
A 2 3|||R:CONTR|||n't|||REQUIRED|||-NONE-|||0
A 3 4|||R:OTHER|||be able to|||REQUIRED|||-NONE-|||0

S She would n't nothing to eat .
A 3 5|||U:OTHER||||||REQUIRED|||-NONE-|||0
A 6 6|||M:NOUN|||anything|||REQUIRED|||-NONE-|||0

S He 's is my best friend .
A 1 2|||U:CONTR||||||REQUIRED|||-NONE-|||0

S They 're were late again .
A 1 2|||U:CONTR||||||REQUIRED|||-NONE-|||0
