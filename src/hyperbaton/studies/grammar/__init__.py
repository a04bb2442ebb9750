"""Grammar: what do learners' errors do to a translation? (Anastasopoulos 2019)"""
